import { concatBytes, decodeUtf8, includesBytes } from '../json/lines.ts';
import { elementsOf, ObjectView } from '../json/object-view.ts';
import { documentSpan, skipSpace } from '../json/scan.ts';
import { uuidFromText } from '../model/derived-id.ts';
import type { Entry, JsonText } from '../model/entry.ts';
import { ReelError } from '../model/errors.ts';
import { type RecordedSession, unnamedHeader } from '../model/session.ts';
import { LATEST_MS } from '../model/times.ts';
import { scanEnvelope } from '../protocol/envelope.ts';
import { elementsIn } from './children.ts';
import { CUT_DOCUMENT } from './cut-off.ts';
import type { Problem, ReadOptions, Source } from './format.ts';
import { MessageMaker } from './message-maker.ts';
import { linesOf, oncePerFile } from './reading.ts';

type Report = (problem: Problem) => void;

/** What every format loses that keeps messages, or what they mean, and nothing around them. */
export const LOST_AROUND_MESSAGES: readonly string[] = [
  'directions',
  'proxy ids',
  'the original of a modified message',
  'marks',
  'what happened beside the messages',
  'the session header',
  'fields of other formats',
];

/** A text that may be a message, and where it stands. */
export interface Candidate {
  readonly place: string;
  /** The number of its line or element, from 1. */
  readonly line: number;
  readonly text: string | undefined;
}

/** A session of messages that are kept without an envelope, wherever in the source they stand. */
export async function readBareMessages(
  source: Source,
  options: ReadOptions,
  format: string,
  candidates: (report: Report) => AsyncGenerator<Candidate[]>,
): Promise<RecordedSession> {
  const clock = await firstStamp(
    candidates(() => undefined),
    await mentionsStamps(source),
  );
  if (!clock.anyMessage) throw await nothingFound(source, candidates);
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
      const reader = new BareMessageReader(id, clock.firstMs, report);
      for await (const batch of candidates(report)) {
        const entries: Entry[] = [];
        for (const candidate of batch) reader.take(candidate, entries);
        yield entries;
      }
    },
  };
}

/** A file without a message is empty, or it has something else in the place of messages. */
async function nothingFound(
  source: Source,
  candidates: (report: Report) => AsyncGenerator<Candidate[]>,
): Promise<ReelError> {
  const problems: Problem[] = [];
  const report = (problem: Problem): void => {
    if (problems.length === 0) problems.push(problem);
  };
  const reader = new BareMessageReader('', undefined, report);
  for await (const batch of candidates(report)) for (const candidate of batch) reader.take(candidate, []);
  const [first] = problems;
  const hint = 'Name its format with --format.';
  if (first === undefined) return new ReelError('session-empty', `No JSON-RPC message in ${source.name}`, { hint });
  const what = first.contract ?? `${first.place}: ${first.what}`;
  return new ReelError('session-unreadable', `No JSON-RPC message in ${source.name}: ${what}`, { hint });
}

/** The lines of a source, one candidate each. */
export async function* candidatesInLines(source: Source, report: Report): AsyncGenerator<Candidate[]> {
  for await (const lines of linesOf(source, report)) {
    yield lines.map(({ number, text }) => ({ place: `line ${number}`, line: number, text }));
  }
}

/** The elements of the array that stands in `[start, end)` of a source. */
export async function* candidatesInArray(
  source: Source,
  start: number,
  end: number,
  report: Report,
): AsyncGenerator<Candidate[]> {
  const onFault = (fault: { what: string; offset: number } | undefined): void => {
    const what = fault === undefined ? CUT_DOCUMENT : `${fault.what} at byte ${fault.offset}`;
    report({ place: 'array', what: `${what}; read as far as it goes`, contract: `invalid JSON: the array is ${what}` });
  };
  for await (const children of elementsIn(source, start, end, onFault)) {
    yield children.map((child) => ({
      place: `element ${child.index}`,
      line: child.index + 1,
      text: child.bytes && decodeUtf8(child.bytes),
    }));
  }
}

/** What the times of a capture are counted from, found before the first entry is given out. */
interface FirstStamp {
  readonly anyMessage: boolean;
  readonly firstText: string;
  /** Absent where no message has a time: they are then numbered. */
  readonly firstMs: number | undefined;
}

/** Whether a stamp may be anywhere in the source: looking for the word is much faster than looking at each message. */
async function mentionsStamps(source: Source): Promise<boolean> {
  const word = new TextEncoder().encode(STAMP_WORD);
  let tail = new Uint8Array(0);
  for await (const chunk of source.read(0, source.size)) {
    const seam = concatBytes([tail, chunk.subarray(0, word.length)]);
    if (includesBytes(seam, word) || includesBytes(chunk, word)) return true;
    tail = concatBytes([tail, chunk.subarray(-word.length)]).slice(-word.length);
  }
  return false;
}

const STAMP_WORD = '"timestamp';

async function firstStamp(candidates: AsyncGenerator<Candidate[]>, mayHaveStamps: boolean): Promise<FirstStamp> {
  let firstText: string | undefined;
  for await (const batch of candidates) {
    for (const { text } of batch) {
      if (text === undefined || (firstText !== undefined && !text.includes('"timestamp'))) continue;
      for (const message of messagesIn(text)) {
        firstText ??= message;
        const firstMs = stampOf(message);
        if (firstMs !== undefined || !mayHaveStamps) return { anyMessage: true, firstText, firstMs };
      }
    }
  }
  return { anyMessage: firstText !== undefined, firstText: firstText ?? '', firstMs: undefined };
}

/** The message that a text is, or those of the batch that it is. */
function messagesIn(text: string): JsonText[] {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return documentSpan(trimmed) === undefined ? [] : [trimmed];
  const elements = elementsOf(trimmed) ?? [];
  return elements.map(({ start, end }) => trimmed.slice(start, end)).filter((element) => element.startsWith('{'));
}

export function isStamp(ms: number | undefined): ms is number {
  return ms !== undefined && Number.isInteger(ms) && ms >= 0 && ms <= LATEST_MS;
}

/** The time that some tools put on a message itself, in epoch milliseconds. */
export function stampOf(message: JsonText): number | undefined {
  if (!message.includes(STAMP_WORD)) return undefined;
  const view = ObjectView.of(message);
  return [view?.number('timestamp_ms'), view?.number('timestamp')].find(isStamp);
}

/**
 * Gives a message without a stamp the time of the one before it, and the first ones that of the first stamp. Where there
 * is no stamp at all, never the clock but the number of the message: the same input gives the same output.
 */
export class MessageClock {
  #timeMs: number | undefined;

  constructor(firstMs: number | undefined) {
    this.#timeMs = firstMs;
  }

  /** Whether stamps count: where the first one is missing, so are all. */
  get hasStamps(): boolean {
    return this.#timeMs !== undefined;
  }

  timeOf(stamp: number | undefined, messageNumber: number): number {
    if (this.#timeMs === undefined) return messageNumber;
    this.#timeMs = stamp ?? this.#timeMs;
    return this.#timeMs;
  }
}

class BareMessageReader {
  readonly #report: Report;
  readonly #maker: MessageMaker;
  readonly #clock: MessageClock;

  constructor(sessionId: string, firstMs: number | undefined, report: Report) {
    this.#report = report;
    this.#maker = new MessageMaker(sessionId);
    this.#clock = new MessageClock(firstMs);
  }

  take({ place, line, text }: Candidate, entries: Entry[]): void {
    const start = text === undefined ? 0 : skipSpace(text, 0);
    const { envelope, body, end } = scanEnvelope(text ?? '', start);
    if (text === undefined || end < 0 || skipSpace(text, end) < text.length) {
      this.#report({ place, what: 'invalid JSON', contract: `invalid JSON on line ${line}` });
      return;
    }
    const value = text.slice(start, end);
    if (value.startsWith('{'))
      entries.push(this.#maker.make({ text: value, atMs: this.#timeOf(value), sourceLine: line, envelope, body }));
    else this.#takeBatch(place, line, value, entries);
  }

  #takeBatch(place: string, line: number, value: JsonText, entries: Entry[]): void {
    const contract = `MCP event at source line ${line} must be a JSON object`;
    const elements = elementsOf(value) ?? [];
    if (elements.length === 0) this.#report({ place, what: 'not a JSON object', contract });
    const frame = this.#maker.next;
    for (const [index, { start, end }] of elements.entries()) {
      const text = value.slice(start, end);
      if (text.startsWith('{')) {
        const batch = `{"frame":${frame},"index":${index},"of":${elements.length}}`;
        entries.push(this.#maker.make({ text, atMs: this.#timeOf(text), sourceLine: line, batch }));
      } else this.#report({ place, what: `element ${index} of the batch is not a JSON object`, contract });
    }
  }

  #timeOf(text: JsonText): number {
    return this.#clock.timeOf(this.#clock.hasStamps ? stampOf(text) : undefined, this.#maker.next);
  }
}
