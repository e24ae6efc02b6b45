import { requireOneConversation } from '../../analysis/import/conversation-names.ts';
import { DuplicateCall, describeDuplicate } from '../../analysis/import/duplicate-call.ts';
import { ImportSemantics } from '../../analysis/import/import-semantics.ts';
import { type ImportSurvey, messagesByTime, surveyImport } from '../../analysis/import/import-survey.ts';
import type { NormalisedEvent, StepEvent, ToolCallEvent } from '../../analysis/import/normalised-event.ts';
import { encodeString } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';
import type { RecordedSession } from '../../model/session.ts';
import { LOST_AROUND_MESSAGES } from '../bare-messages.ts';
import { type FormatWriter, PIECE_LENGTH } from '../format.ts';

/** The identifiers of the episode in a normalized trace. */
export interface EpisodeOptions {
  readonly episodeId: string;
  readonly testId?: string | undefined;
  readonly prompt?: string | undefined;
}

/** The result of an import. */
export interface NormalisedTrace {
  readonly semantics: ImportSemantics;
  /** Returns the number of written events, including the episode's start and end. */
  readonly events: () => number;
  readonly pieces: AsyncIterable<string>;
}

/** Writes the normalized trace (V2): the calls with their arguments and results. */
export const assay: FormatWriter = {
  id: 'assay',
  title: 'Normalized trace (Assay V2, JSON Lines)',
  loses: [
    'messages as sent',
    'messages other than calls and lists of tools',
    'several conversations',
    ...LOST_AROUND_MESSAGES,
  ],
  write: (session) => writeNormalised(session, { episodeId: session.header.label }).pieces,
};

/** Writes the meaning of a session according to the import contract. An episode is one conversation. */
export function writeNormalised(session: RecordedSession, options: EpisodeOptions): NormalisedTrace {
  const semantics = new ImportSemantics(session);
  let events = 0;
  async function* pieces(): AsyncGenerator<string> {
    const survey = await surveyImport(session);
    requireOneConversation(survey.conversations);
    if (session.infersDirections && !survey.inOrder) semantics.inferDirections();
    const line = eventLines(options.episodeId);
    let piece = `${episodeStart(survey, options)}\n`;
    let lastMs = survey.firstMs;
    events++;
    for await (const messages of messagesByTime(session, survey)) {
      for (const message of messages) {
        lastMs = Math.max(lastMs, message.atMs);
        const timed = message.atMs === lastMs ? message : { ...message, atMs: lastMs };
        let taken: NormalisedEvent[];
        try {
          taken = semantics.take(timed);
        } catch (error) {
          throw error instanceof DuplicateCall ? await describeDuplicate(session, error) : error;
        }
        for (const event of taken) {
          piece += line(event);
          events++;
        }
        if (piece.length >= PIECE_LENGTH) {
          yield piece;
          piece = '';
        }
      }
    }
    for (const event of semantics.finish()) {
      piece += line(event);
      events++;
    }
    events++;
    yield `${piece}${episodeEnd(lastMs, options, semantics)}\n`;
  }
  return { semantics, events: () => events, pieces: pieces() };
}

function episodeStart(survey: ImportSurvey, { episodeId, testId, prompt = '<mcp:session>' }: EpisodeOptions): JsonText {
  const { authorization } = survey;
  return JSON.stringify({
    type: 'episode_start',
    episode_id: episodeId,
    timestamp: survey.firstMs,
    input: { prompt },
    meta: {
      source: 'mcp_import',
      episode_id: episodeId,
      ...(testId !== undefined && { test_id: testId }),
      mcp: {
        authorization_discovery: {
          visible: authorization !== undefined,
          source_kind: authorization === undefined ? 'unknown' : 'www_authenticate',
          resource_metadata_visible: authorization?.resourceMetadataVisible ?? false,
          authorization_servers_visible: false,
          scope_challenge_visible: authorization?.scopeChallengeVisible ?? false,
        },
      },
    },
  });
}

function episodeEnd(lastMs: number, { episodeId }: EpisodeOptions, { finalOutput }: ImportSemantics): JsonText {
  return JSON.stringify({
    type: 'episode_end',
    episode_id: episodeId,
    timestamp: lastMs,
    outcome: null,
    final_output: finalOutput ?? null,
  });
}

/** Creates a function that writes events as lines. The texts of arguments and results stay exactly as sent. */
function eventLines(episodeId: string): (event: NormalisedEvent) => string {
  const episode = JSON.stringify(episodeId);
  return (event) => (event.kind === 'step' ? stepLine(event, episode) : toolCallLine(event, episode));
}

function stepLine({ index, atMs, name, content, jsonrpcId }: StepEvent, episode: JsonText): string {
  const meta =
    jsonrpcId === undefined ? '{}' : `{"jsonrpc_id":${jsonrpcId === null ? 'null' : encodeString(jsonrpcId)}}`;
  return (
    `{"type":"step","episode_id":${episode},"step_id":"${stepId(index)}","idx":${index},"timestamp":${atMs},` +
    `"kind":"tool","name":${encodeString(name)},"content":${content === null ? 'null' : JSON.stringify(content)},` +
    `"content_sha256":null,"truncations":[],"meta":${meta}}\n`
  );
}

function toolCallLine({ stepIndex, atMs, toolName, args, result, error }: ToolCallEvent, episode: JsonText): string {
  return (
    `{"type":"tool_call","episode_id":${episode},"step_id":"${stepId(stepIndex)}","timestamp":${atMs},` +
    `"tool_name":${encodeString(toolName)},"call_index":0,"args":${args},"args_sha256":null,"result":${result},` +
    `"result_sha256":null,"error":${error === null ? 'null' : `"${error}"`},"truncations":[]}\n`
  );
}

function stepId(index: number): string {
  return `step_${String(index).padStart(3, '0')}`;
}
