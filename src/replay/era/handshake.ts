import { ObjectView } from '../../json/object-view.ts';
import { removeAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';
import {
  discoverText,
  factsOf,
  hasResult,
  INITIALIZED,
  initializeText,
  isResult,
  MODERN_MEMBERS,
  openingOf,
} from '../../recorded/client-facts.ts';
import { withId } from '../../recorded/message-id.ts';
import type { ClientStep, RecordedDialogue } from '../../recorded/recorded-dialogue.ts';
import type { ConnectionReply, ReplayConnection } from '../replay-connection.ts';
import { type EraDialect, SAME_ERA, type SendRequest, type TranslatedMessage } from './dialect.ts';
import { asServerFacts, MODERN_PLACES } from './era-answers.ts';
import { ToModern, type ToModernOptions } from './to-modern.ts';

export interface HandshakeOptions extends Pick<ToModernOptions, 'resultFor'> {
  readonly dialogue: RecordedDialogue;
  /** Opens a new connection and closes the previous one. */
  readonly connect: () => Promise<ReplayConnection>;
  /** Whether to perform a handshake. */
  readonly handshake: boolean;
  readonly maySend: (step: ClientStep) => boolean;
  readonly timeoutMs: number;
  readonly nowMs: () => number;
  readonly note: (line: string) => void;
}

/** The exchange that opened a connection. */
export interface OpeningExchange {
  /** The recorded step it replays; absent if mcpreel generated the request. */
  readonly step: ClientStep | undefined;
  readonly sent: JsonText;
  readonly reply: ConnectionReply;
  readonly durationMs: number;
}

/** A connection to the target and the dialect to use on it. */
export interface EraAgreement {
  readonly connection: ReplayConnection;
  readonly dialect: EraDialect;
  readonly opening: OpeningExchange | undefined;
  /** Why nothing can be sent on it. */
  readonly failure: string | undefined;
}

/** Opens a connection as the recorded client did and detects which era the target speaks. */
export async function agreeOnEra(options: HandshakeOptions): Promise<EraAgreement> {
  const { dialogue, handshake, connect } = options;
  const opening = handshake ? openingOf(dialogue) : 'probe';
  if (opening === 'later-initialize' || opening === 'probe') {
    return { connection: await connect(), dialect: SAME_ERA, opening: undefined, failure: undefined };
  }
  return new HandshakeRun(options).shake(opening === 'modern' ? 'modern' : 'legacy');
}

type ServerEra = 'legacy' | 'modern';

const METHODS: Readonly<Record<ServerEra, string>> = { legacy: 'initialize', modern: 'server/discover' };

class HandshakeRun {
  readonly #options: HandshakeOptions;

  constructor(options: HandshakeOptions) {
    this.#options = options;
  }

  async shake(era: ServerEra): Promise<EraAgreement> {
    const step = this.#recordedStep(era);
    const [connection, opening] = await this.#open(era, step);
    const wasRefused = step?.answer !== undefined && !hasResult(step);
    if (succeeded(opening.reply) || wasRefused) {
      if (era === 'legacy' && step === undefined && !this.#confirmsLater()) connection.say(INITIALIZED);
      return { connection, dialect: SAME_ERA, opening, failure: undefined };
    }
    const failure = `the handshake failed: ${failureOf(opening.reply)}`;
    const failed: EraAgreement = { connection, dialect: SAME_ERA, opening, failure };
    const isSilent = opening.reply.kind === 'timeout' && era === 'legacy';
    if (isSilent || isUnreached(opening.reply, connection)) return failed;
    return (await this.#inOtherEra(era === 'legacy' ? 'modern' : 'legacy')) ?? failed;
  }

  /** The recorded handshake, if the recording begins with it. */
  #recordedStep(era: ServerEra): ClientStep | undefined {
    const { dialogue, maySend } = this.#options;
    const first = dialogue.steps.find(({ kind }) => kind === 'request');
    return first?.method === METHODS[era] && maySend(first) ? first : undefined;
  }

  /** A recording of a server without sessions may contain this notification but not the handshake before it. */
  #confirmsLater(): boolean {
    return this.#options.dialogue.steps.some(({ method }) => method === 'notifications/initialized');
  }

  async #inOtherEra(era: ServerEra): Promise<EraAgreement | undefined> {
    const { dialogue, note, resultFor } = this.#options;
    const [connection, { reply }] = await this.#open(era, undefined);
    if (reply.kind !== 'answer' || !isResult(reply.text)) return undefined;
    note(`The target uses MCP ${era === 'modern' ? 'of' : 'from before'} 2026-07-28: the recording is translated`);
    if (era === 'legacy') connection.say(INITIALIZED);
    const dialect =
      era === 'modern'
        ? new ToModern({ facts: factsOf(dialogue), discovered: reply.text, resultFor })
        : new ToLegacy({ dialogue, initialized: reply.text });
    return { connection, dialect, opening: undefined, failure: undefined };
  }

  async #open(era: ServerEra, step: ClientStep | undefined): Promise<[ReplayConnection, OpeningExchange]> {
    const { dialogue, connect, timeoutMs, nowMs } = this.#options;
    const connection = await connect();
    const facts = factsOf(dialogue);
    const id = connection.newId();
    const sent = withId(step?.text ?? (era === 'legacy' ? initializeText(facts) : discoverText(facts)), String(id));
    const startedMs = nowMs();
    const reply = await connection.request(sent, id, timeoutMs);
    return [connection, { step, sent, reply, durationMs: nowMs() - startedMs }];
  }
}

function succeeded(reply: ConnectionReply): boolean {
  return reply.kind === 'answer' && isResult(reply.text);
}

/** Whether the target cannot be reached, in either era. */
export function isUnreached(reply: ConnectionReply, { hasHeard: hasReceived }: ReplayConnection): boolean {
  return !hasReceived && (reply.kind === 'closed' || (reply.kind === 'refused' && !reply.isReached));
}

function failureOf(reply: ConnectionReply): string {
  switch (reply.kind) {
    case 'answer':
      return 'the target responded with an error';
    case 'timeout':
      return 'the target did not respond';
    case 'closed':
    case 'refused':
      return reply.reason;
  }
}

interface ToLegacyOptions {
  readonly dialogue: RecordedDialogue;
  /** The target's response to `initialize`. */
  readonly initialized: JsonText;
}

/** Translates a recording of 2026-07-28 for an older target, which has a handshake and sends its own requests. */
class ToLegacy implements EraDialect {
  readonly strange: ReadonlySet<string> = MODERN_PLACES;
  readonly #options: ToLegacyOptions;
  /** Steps that retry an earlier step with the input it required. */
  readonly #retries: ReadonlySet<number>;

  constructor(options: ToLegacyOptions) {
    this.#options = options;
    this.#retries = new Set(options.dialogue.steps.flatMap(({ retriedBy }) => retriedBy ?? []));
  }

  word(step: ClientStep, text: JsonText): TranslatedMessage {
    const { method, index, answer } = step;
    if (method === 'server/discover') {
      return { kind: 'answered', text: asServerFacts(answer?.text, this.#options.initialized) };
    }
    if (method === 'subscriptions/listen') {
      return { kind: 'unsayable', reason: 'protocol versions before 2026-07-28 have no subscription streams' };
    }
    if (this.#retries.has(index)) {
      return { kind: 'unsayable', reason: 'its values were sent when the target requested them' };
    }
    return { kind: 'said', text: withoutModernMembers(text) };
  }

  /** For a request that required input, the last response: the older target sends only that one. */
  expected(step: ClientStep): JsonText | undefined {
    let last = step;
    while (last.retriedBy !== undefined) {
      const next = this.#options.dialogue.steps[last.retriedBy];
      if (next === undefined) break;
      last = next;
    }
    return last.answer?.text;
  }

  converse(_: ClientStep, text: JsonText, ask: SendRequest): Promise<ConnectionReply> {
    return ask(text);
  }
}

function withoutModernMembers(text: JsonText): JsonText {
  const bare = MODERN_MEMBERS.reduce((rest, key) => removeAt(rest, ['params', '_meta', key]) ?? rest, text);
  const params = ObjectView.of(bare)?.object('params');
  const isEmpty = params?.object('_meta')?.members.length === 0;
  const withoutMeta = isEmpty ? (removeAt(bare, ['params', '_meta']) ?? bare) : bare;
  const hasParams = ObjectView.of(withoutMeta)?.object('params')?.members.length !== 0;
  return hasParams ? withoutMeta : (removeAt(withoutMeta, ['params']) ?? withoutMeta);
}
