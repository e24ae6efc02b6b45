import { elementTexts, ObjectView } from '../json/object-view.ts';
import { documentSpan, skipSpace } from '../json/scan.ts';
import { uuidFromText } from '../model/derived-id.ts';
import { batchText, type Entry, type JsonText } from '../model/entry.ts';
import { ReelError } from '../model/errors.ts';
import { type RecordedSession, unnamedHeader } from '../model/session.ts';
import { readEnvelope, scanEnvelope } from '../protocol/envelope.ts';
import { invalidJson, type MessageCandidate, mustBeObject } from './candidates.ts';
import { type ReadOptions, type ReadProblem, type ReadReport, type Source, WRONG_FORMAT } from './format.ts';
import { MessageClock, mentionsStamps, STAMP_KEY, STAMP_WORD, stampOf, withoutStamp } from './message-clock.ts';
import { MessageMaker } from './message-maker.ts';
import { oncePerFile, readFirstBytes } from './reading.ts';
import { describeUnknownFile } from './unknown-file.ts';

/** What a format loses if it only contains messages, or only their meaning. */
export const LOST_AROUND_MESSAGES: readonly string[] = [
  'directions',
  'proxy ids',
  'originals of edited messages',
  'dropped and injected marks',
  'events',
  'HTTP statuses and headers',
  'the session header',
  'fields of other formats',
];

/** What bare messages cannot hold: another object would not be read as a message. */
export const NO_OTHER_OBJECTS = 'objects that are not JSON-RPC messages';

/** The text of the version that every message names. */
export const VERSION = '"2.0"';

/** Reads a session from messages without an envelope, wherever in the source they are. */
export async function readBareMessages(
  source: Source,
  options: ReadOptions,
  format: 'inspector' | 'jsonrpc',
  candidates: (report: ReadReport) => AsyncGenerator<MessageCandidate[]>,
): Promise<RecordedSession> {
  const proof = options.isDetected === true ? 'version' : format === 'inspector' ? 'version or time' : 'form';
  const clock = await firstStamp(
    candidates(() => undefined),
    await mentionsStamps(source),
    proof,
  );
  if (!clock.anyMessage) throw await nothingFound(source, candidates, proof);
  const id = uuidFromText(`${source.size}:${clock.firstText}`);
  const problemsOf = oncePerFile(options);
  return {
    format,
    header: { ...unnamedHeader(id), startedAtMs: clock.firstMs ?? 0 },
    footer: undefined,
    infersDirections: true,
    numbersTimes: clock.firstMs === undefined,
    async *batches() {
      const report = problemsOf();
      const reader = new BareMessageReader(id, clock.firstMs, report, proof, format === 'inspector');
      for await (const batch of candidates(report)) {
        const entries: Entry[] = [];
        for (const candidate of batch) reader.take(candidate, entries);
        yield entries;
      }
    },
  };
}

/** Creates the error for a file without messages: it is empty, or it contains something else. */
async function nothingFound(
  source: Source,
  candidates: (report: ReadReport) => AsyncGenerator<MessageCandidate[]>,
  proof: MessageProof,
): Promise<ReelError> {
  const problems: ReadProblem[] = [];
  const report = (problem: ReadProblem): void => {
    if (problems.length === 0) problems.push(problem);
  };
  const reader = new BareMessageReader('', undefined, report, proof);
  for await (const batch of candidates(report)) for (const candidate of batch) reader.take(candidate, []);
  const [first] = problems;
  const nothing = `No JSON-RPC message in ${source.name}`;
  if (first === undefined) return new ReelError('session-empty', nothing, { hint: WRONG_FORMAT });
  if (first.what.includes(NOT_A_MESSAGE)) {
    const head = await readFirstBytes(source);
    const { what, hint = WRONG_FORMAT } = describeUnknownFile(head, head.length === source.size);
    return new ReelError('session-unreadable', `${nothing}: ${what}`, { hint });
  }
  const what = first.contract ?? `${first.place}: ${first.what}`;
  return new ReelError('session-unreadable', `${nothing}: ${what}`, { hint: WRONG_FORMAT });
}

/** The first time in a capture, which is determined before the first entry is read. */
interface FirstStamp {
  readonly anyMessage: boolean;
  readonly firstText: string;
  /** Absent if no message has a time. The messages are then numbered. */
  readonly firstMs: number | undefined;
}

async function firstStamp(
  candidates: AsyncGenerator<MessageCandidate[]>,
  mayHaveStamps: boolean,
  proof: MessageProof,
): Promise<FirstStamp> {
  let firstText: string | undefined;
  for await (const batch of candidates) {
    for (const { text } of batch) {
      if (text === undefined || (firstText !== undefined && !text.includes(STAMP_WORD))) continue;
      for (const message of messagesIn(text)) {
        if (!isMessage(message, proof)) continue;
        firstText ??= message;
        const firstMs = stampOf(message);
        if (firstMs !== undefined || !mayHaveStamps) return { anyMessage: true, firstText, firstMs };
      }
    }
  }
  return { anyMessage: firstText !== undefined, firstText: firstText ?? '', firstMs: undefined };
}

/** Returns the message in a text, or the messages of the batch in it. */
function messagesIn(text: string): JsonText[] {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return documentSpan(trimmed) === undefined ? [] : [trimmed];
  return (elementTexts(trimmed) ?? []).filter((element) => element.startsWith('{'));
}

/** The problem with an object that is not a message. */
function notAMessage(proof: MessageProof): string {
  return proof !== 'form'
    ? `${NOT_A_MESSAGE}: no "jsonrpc":${VERSION}`
    : `${NOT_A_MESSAGE}: no "method", "result" or "error"`;
}

const NOT_A_MESSAGE = 'not a message';

/**
 * What shows that an object is a JSON-RPC message. Lines of application logs have methods and ids, too, so it has to
 * name the version. In an `inspector` transcript, mcpreel's own times mark a message without one. If the user named
 * `jsonrpc` as the format, the form is enough.
 */
type MessageProof = 'version' | 'version or time' | 'form';

/** Returns whether an object is a JSON-RPC message. */
export function isMessage(text: JsonText, proof: MessageProof = 'form'): boolean {
  if (text.startsWith(`{"jsonrpc":${VERSION}`)) return true;
  const view = ObjectView.of(text);
  if (view?.textOf('jsonrpc') === VERSION) return true;
  if (proof === 'version' || (proof === 'version or time' && !view?.has(STAMP_KEY))) return false;
  return readEnvelope(text).kind !== 'invalid';
}

class BareMessageReader {
  readonly #report: ReadReport;
  readonly #maker: MessageMaker;
  readonly #clock: MessageClock;
  readonly #proof: MessageProof;
  readonly #addsStamps: boolean;

  /** If a format `addsStamps`, its `timestamp_ms` is no part of the messages. */
  constructor(
    sessionId: string,
    firstMs: number | undefined,
    report: ReadReport,
    proof: MessageProof,
    addsStamps = false,
  ) {
    this.#addsStamps = addsStamps;
    this.#report = report;
    this.#proof = proof;
    this.#maker = new MessageMaker(sessionId);
    this.#clock = new MessageClock(firstMs);
  }

  take(candidate: MessageCandidate, entries: Entry[]): void {
    const { line, text } = candidate;
    const start = text === undefined ? 0 : skipSpace(text, 0);
    const { envelope, body, end } = scanEnvelope(text ?? '', start);
    if (text === undefined || end < 0 || skipSpace(text, end) < text.length) {
      this.#report(invalidJson(candidate));
      return;
    }
    const value = text.slice(start, end);
    if (!value.startsWith('{')) {
      this.#takeBatch(candidate, value, entries);
      return;
    }
    if (!isMessage(value, this.#proof)) {
      this.#report({ place: candidate.place, what: notAMessage(this.#proof) });
    } else {
      const sent = this.#asSent(value);
      const scanned = sent === value ? { envelope, body } : {};
      entries.push(this.#maker.make({ text: sent, atMs: this.#timeOf(value), sourceLine: line, ...scanned }));
    }
  }

  #takeBatch({ place, line }: MessageCandidate, value: JsonText, entries: Entry[]): void {
    const contract = mustBeObject(place);
    const elements = elementTexts(value) ?? [];
    if (elements.length === 0) this.#report({ place, what: 'not a JSON object', contract });
    const frame = this.#maker.next;
    for (const [index, text] of elements.entries()) {
      if (text.startsWith('{') && !isMessage(text, this.#proof)) {
        this.#report({ place, what: `element ${index + 1} of the batch is ${notAMessage(this.#proof)}` });
      } else if (text.startsWith('{')) {
        const batch = batchText(frame, index, elements.length);
        entries.push(this.#maker.make({ text: this.#asSent(text), atMs: this.#timeOf(text), sourceLine: line, batch }));
      } else this.#report({ place, what: `element ${index + 1} of the batch is not a JSON object`, contract });
    }
  }

  #asSent(text: JsonText): JsonText {
    return this.#addsStamps ? withoutStamp(text) : text;
  }

  #timeOf(text: JsonText): number {
    return this.#clock.timeOf(this.#clock.hasStamps ? stampOf(text) : undefined, this.#maker.next);
  }
}
