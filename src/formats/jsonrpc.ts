import { type Child, ChildScanner } from '../json/child-scanner.ts';
import { onOneLine } from '../json/layout.ts';
import { decodeUtf8 } from '../json/lines.ts';
import { elementsOf, ObjectView } from '../json/object-view.ts';
import { documentSpan } from '../json/scan.ts';
import { messageIdsOf, uuidFromText } from '../model/derived-id.ts';
import type { Entry, JsonText, MessageEntry } from '../model/entry.ts';
import { ReelError } from '../model/errors.ts';
import type { RecordedSession } from '../model/session.ts';
import { readEnvelope } from '../protocol/envelope.ts';
import { DirectionInference } from '../protocol/infer-direction.ts';
import { Pairing } from '../protocol/pairing.ts';
import { elementsIn } from './children.ts';
import type { Confidence, FormatReader, FormatWriter, Problem, ReadOptions, Source } from './format.ts';
import { linesOf, oncePerFile, readHead } from './reading.ts';

/** Bare JSON-RPC messages: one a line, or all in one array. */
export const jsonrpc: FormatReader & FormatWriter = {
  id: 'jsonrpc',
  title: 'JSON-RPC messages (JSON Lines)',
  loses: [
    'times',
    'directions',
    'proxy ids',
    'the original of a modified message',
    'marks',
    'what happened beside the messages',
    'the session header',
    'fields of other formats',
  ],
  detect,
  read: readJsonRpc,
  write: writeJsonRpc,
};

function detect(head: string): Confidence {
  const start = head.replace(/^\uFEFF?\s*\[?\s*/, '');
  const first = ObjectView.ofHead(start);
  if (first.string('jsonrpc') !== undefined) return 'certain';
  const isMessage = first.has('method') || first.has('result') || first.has('error') || first.has('id');
  return isMessage || /^\{\s*("id"\s*:\s*[^,{[]*,\s*)?"(jsonrpc|params|result|error)"\s*:/.test(start)
    ? 'likely'
    : 'no';
}

/** A text that may be a message, and where it stands. */
interface Candidate {
  readonly place: string;
  readonly text: string | undefined;
}

async function readJsonRpc(source: Source, options: ReadOptions): Promise<RecordedSession> {
  const isArray = await isOneArray(source);
  const candidates = (report: (problem: Problem) => void): AsyncGenerator<Candidate[]> =>
    isArray ? fromArray(source, report) : fromLines(source, report);
  const clock = await firstStamp(candidates(() => undefined));
  if (!clock.anyMessage) {
    throw new ReelError('session-unreadable', `No JSON-RPC message in ${source.name}.`, {
      hint: 'Name its format with --format.',
    });
  }
  const id = uuidFromText(`${source.size}:${clock.firstText}`);
  const problemsOf = oncePerFile(options);
  return {
    format: 'jsonrpc',
    header: {
      id,
      startedAtMs: clock.firstMs ?? 0,
      label: 'session',
      transport: 'stdio',
      command: [],
      url: undefined,
      metadata: '{}',
    },
    footer: undefined,
    async *batches() {
      const report = problemsOf();
      const reader = new BareMessageReader(id, clock.firstMs, report);
      for await (const batch of candidates(report)) yield batch.flatMap((candidate) => reader.take(candidate));
    },
  };
}

const LINE_FEED = 0x0a;

/** Whether the file is one array, and not lines of which the first is a batch. */
async function isOneArray(source: Source): Promise<boolean> {
  if (!/^\uFEFF?\s*\[/.test(await readHead(source))) return false;
  const scanner = new ChildScanner({ wants: () => false });
  let endedOnItsLine = false;
  for await (const chunk of source.read(0, source.size)) {
    for (let from = 0; from < chunk.length; ) {
      const lineFeed = chunk.indexOf(LINE_FEED, from);
      const to = lineFeed < 0 ? chunk.length : lineFeed + 1;
      scanner.push(chunk.subarray(from, to));
      if (scanner.fault !== undefined) return !endedOnItsLine;
      if (lineFeed >= 0 && scanner.container !== undefined && !scanner.complete) return true;
      if (lineFeed >= 0) endedOnItsLine = scanner.complete;
      from = to;
    }
  }
  return true;
}

async function* fromLines(source: Source, report: (problem: Problem) => void): AsyncGenerator<Candidate[]> {
  for await (const lines of linesOf(source, report)) {
    yield lines.map(({ number, text }) => ({ place: `line ${number}`, text }));
  }
}

async function* fromArray(source: Source, report: (problem: Problem) => void): AsyncGenerator<Candidate[]> {
  const onFault = (fault: { what: string; offset: number } | undefined): void => {
    const what = fault === undefined ? 'cut off before its end' : `${fault.what} at byte ${fault.offset}`;
    report({ place: 'array', what: `${what}; read as far as it goes` });
  };
  for await (const children of elementsIn(source, 0, source.size, onFault)) {
    yield children.map((child) => ({ place: `element ${child.index}`, text: textOf(child) }));
  }
}

function textOf(child: Child): string | undefined {
  return child.bytes && decodeUtf8(child.bytes);
}

/** What the times of a capture are counted from, found before the first entry is given out. */
interface FirstStamp {
  readonly anyMessage: boolean;
  readonly firstText: string;
  /** Absent where no message has a time: they are then numbered. */
  readonly firstMs: number | undefined;
}

async function firstStamp(candidates: AsyncGenerator<Candidate[]>): Promise<FirstStamp> {
  let firstText: string | undefined;
  for await (const batch of candidates) {
    for (const { text } of batch) {
      if (text === undefined || (firstText !== undefined && !text.includes('"timestamp'))) continue;
      for (const message of messagesIn(text)) {
        firstText ??= message;
        const firstMs = stampOf(message);
        if (firstMs !== undefined) return { anyMessage: true, firstText, firstMs };
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

/** The last time that a `Date` can hold. */
const LATEST_MS = 8_640_000_000_000_000;

/** The time that some tools put on a message itself, in epoch milliseconds. */
function stampOf(message: JsonText): number | undefined {
  if (!message.includes('"timestamp')) return undefined;
  const view = ObjectView.of(message);
  const stamps = [view?.number('timestamp_ms'), view?.number('timestamp')];
  return stamps.find((stamp) => stamp !== undefined && Number.isInteger(stamp) && stamp >= 0 && stamp <= LATEST_MS);
}

class BareMessageReader {
  readonly #report: (problem: Problem) => void;
  readonly #idOf: (n: number) => string;
  readonly #directions = new DirectionInference();
  readonly #pairing = new Pairing();
  #sequence = 0;
  #timeMs: number | undefined;

  constructor(sessionId: string, firstMs: number | undefined, report: (problem: Problem) => void) {
    this.#report = report;
    this.#idOf = messageIdsOf(sessionId);
    this.#timeMs = firstMs;
  }

  take({ place, text }: Candidate): Entry[] {
    const span = text === undefined ? undefined : documentSpan(text);
    if (text === undefined || span === undefined) {
      this.#report({ place, what: 'invalid JSON' });
      return [];
    }
    const value = text.slice(span.start, span.end);
    return value.startsWith('{') ? [this.#message(value)] : this.#batch(place, value);
  }

  #batch(place: string, value: JsonText): Entry[] {
    const elements = elementsOf(value) ?? [];
    if (elements.length === 0) this.#report({ place, what: 'not a JSON object' });
    const entries: Entry[] = [];
    const frame = this.#sequence;
    for (const [index, { start, end }] of elements.entries()) {
      const text = value.slice(start, end);
      if (text.startsWith('{')) {
        const batch = `{"frame":${frame},"index":${index},"of":${elements.length}}`;
        entries.push({ ...this.#message(text), batch });
      } else this.#report({ place, what: `element ${index} of the batch is not a JSON object` });
    }
    return entries;
  }

  #message(text: JsonText): MessageEntry {
    const sequence = this.#sequence++;
    if (this.#timeMs !== undefined) this.#timeMs = stampOf(text) ?? this.#timeMs;
    const envelope = readEnvelope(text);
    const proxyId = this.#idOf(sequence);
    const direction = this.#directions.directionOf(envelope);
    const correlatedId = this.#pairing.match({ proxyId, direction }, envelope);
    const atMs = this.#timeMs ?? sequence;
    return { kind: 'message', sequence, proxyId, atMs, direction, text, envelope, correlatedId };
  }
}

async function* writeJsonRpc(session: RecordedSession): AsyncGenerator<string> {
  for await (const batch of session.batches()) {
    let piece = '';
    for (const entry of batch) if (entry.kind === 'message') piece += `${onOneLine(entry.text)}\n`;
    if (piece !== '') yield piece;
  }
}
