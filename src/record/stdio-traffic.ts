import type { Settlement } from '../intercept/held-message.ts';
import { concatBytes, copyBytes, type DecodedLine, decodeUtf8, findInvalidUtf8 } from '../json/lines.ts';
import type { Direction, Entry, JsonText } from '../model/entry.ts';
import type { SessionFooter } from '../model/session.ts';
import type { EnvelopePeek } from '../protocol/envelope.ts';
import { objectsOf } from '../protocol/rpc-body.ts';
import { BoundedLines, type LongLine } from '../transport/bounded-lines.ts';
import { frameOf } from '../transport/stdio-frame.ts';
import { type EntryMaker, eventEntry, lineEntry } from './entry-maker.ts';

/** The streams of a session over stdio, and the acts of mcpreel between them. Journals number them in this order. */
export const STDIO_STREAMS = ['in', 'out', 'err', 'act'] as const;
export type StdioStream = 'in' | 'out' | 'err';

/** What took effect in a session besides the bytes that were forwarded. */
export type TrafficAct =
  | {
      readonly kind: 'event';
      readonly event: string;
      readonly raw: JsonText;
      readonly conversation?: number | undefined;
    }
  | { readonly kind: 'settled'; readonly direction: Direction; readonly settled: readonly Settlement[] }
  | { readonly kind: 'injected'; readonly direction: Direction; readonly text: string }
  | { readonly kind: 'ended'; readonly footer: SessionFooter };

/** A line of a stream that is so long that another thread should read it. */
export interface LongStdioLine {
  readonly stream: StdioStream;
  /** Its bytes, without the line feed. */
  readonly parts: readonly Uint8Array[];
  readonly atMs: number;
  /** The number of messages before it. */
  readonly sequence: number;
}

/** The entries of a long line without secrets, and what their messages are paired by. */
export interface ReadLongLine {
  readonly entries: readonly Entry[];
  readonly peeks: readonly (EnvelopePeek | undefined)[];
  /** Whether it begins a private key that continues in the next line. */
  readonly beginsKey: boolean;
}

/** Reads long lines elsewhere. */
export interface LongLines {
  /** Whether the next line can be read without those before it. */
  readonly mayRead: () => boolean;
  /** Calls back later, with nothing if it failed. */
  readonly read: (line: LongStdioLine, onRead: (read: ReadLongLine | undefined) => void) => void;
  /** Records entries that are already redacted. */
  readonly record: (entries: readonly Entry[]) => void;
}

/** Lines from this length on are read elsewhere. */
export const LONG_LINE_BYTES: number = 128 << 10;

/** How far a trace has recorded a stream: the offset after the last recorded line, and how many entries that line has. */
export interface StreamCoverage {
  readonly offset: number;
  readonly entries: number;
}

export interface StdioTrafficOptions {
  readonly maker: EntryMaker;
  readonly maxMessageBytes: number;
  readonly record: (entries: readonly Entry[]) => void;
  /** Whether entries name their stream and offset, so that a journal can complete the recording. */
  readonly marksPlaces?: boolean | undefined;
  /** What the trace has already, if a journal completes the recording. */
  readonly covered?: ReadonlyMap<string, StreamCoverage> | undefined;
  /** Called with entries that the trace has already. */
  readonly onCovered?: ((entries: readonly Entry[]) => void) | undefined;
  /** Without it, long lines are read like others. */
  readonly longLines?: LongLines | undefined;
  /** Makes the entries that are already recorded; used only with `covered`. */
  readonly scratchMaker?: EntryMaker | undefined;
}

/** Makes entries of what passed over stdio: of the lines of its three streams, and of the acts between them. */
export class StdioTraffic {
  readonly #options: StdioTrafficOptions;
  readonly #streams: Readonly<Record<StdioStream, StreamLines>>;
  /** The long line that is being read elsewhere, and the bytes after it. Nothing else may be taken until that is done. */
  #open: OpenLongLine | undefined;
  #onFree: () => void = () => undefined;

  constructor(options: StdioTrafficOptions) {
    this.#options = options;
    const linesOf = (): StreamLines => new StreamLines(options.maxMessageBytes);
    this.#streams = { in: linesOf(), out: linesOf(), err: linesOf() };
  }

  /** Takes the next bytes of a stream. `offset` is the stream's length with them. */
  bytes(stream: StdioStream, chunk: Uint8Array, atMs: number, offset: number): void {
    const lines = this.#streams[stream];
    lines.start ??= offset - chunk.length;
    const { splitter } = lines;
    const { longLines, maker, maxMessageBytes } = this.#options;
    const end = splitter.pendingBytes > 0 ? chunk.indexOf(LINE_FEED) : -1;
    const size = splitter.pendingBytes + end;
    if (
      longLines === undefined ||
      end < 0 ||
      size < LONG_LINE_BYTES ||
      size > maxMessageBytes ||
      !longLines.mayRead()
    ) {
      this.#take(stream, splitter.push(chunk), atMs);
      return;
    }
    const line = splitter.takeLine(chunk, end);
    const rest = copyBytes(chunk.subarray(end + 1));
    const open = { stream, parts: line.parts, atMs, sequence: maker.nextSequence, end: line.end, rest };
    this.#open = open;
    const { parts, sequence } = open;
    longLines.read({ stream, parts, atMs, sequence }, (read) => {
      if (this.#open !== open) return;
      if (read === undefined || read.beginsKey) this.#readHere(open);
      else {
        const entries = maker.adopt(read.entries, read.peeks);
        mark(entries, 0, stream, (this.#streams[stream].start ?? 0) + open.end);
        if (entries.length > 0) longLines.record(entries);
        this.#goOn(open);
      }
      if (this.#open === undefined) this.#onFree();
    });
  }

  /** Whether a long line is being read elsewhere. Until that is done, nothing more may be passed. */
  get isBusy(): boolean {
    return this.#open !== undefined;
  }

  /** Calls back once when it is no longer busy. */
  whenFree(onFree: () => void): void {
    this.#onFree = onFree;
  }

  /** Reads a long line here that is being read elsewhere: the rest cannot wait. */
  hurry(): void {
    while (this.#open !== undefined) this.#readHere(this.#open);
  }

  /** No more bytes of this stream follow. */
  end(stream: StdioStream, atMs: number): void {
    this.#take(stream, this.#streams[stream].splitter.end(), atMs);
  }

  /** Takes the next act; `count` is the number of acts with it. */
  act(act: TrafficAct, atMs: number, count: number): void {
    this.#add('act', count, (maker, entries) => addAct(act, atMs, maker, entries));
  }

  /** The beginning of an unfinished line of each stream; `undefined` if it is too long and not kept. */
  pending(stream: StdioStream): readonly Uint8Array[] | undefined {
    return this.#streams[stream].splitter.pending;
  }

  #readHere(open: OpenLongLine): void {
    const bytes = concatBytes(open.parts);
    const text = decodeUtf8(bytes);
    const decoded = text === undefined ? { bytes, faultOffset: findInvalidUtf8(bytes) } : { text };
    this.#take(open.stream, [{ ...decoded, ended: true, end: open.end }], open.atMs);
    this.#goOn(open);
  }

  #goOn({ stream, rest, atMs }: OpenLongLine): void {
    this.#open = undefined;
    if (rest.length > 0) this.bytes(stream, rest, atMs, 0);
  }

  #take(stream: StdioStream, found: readonly (DecodedLine | LongLine)[], atMs: number): void {
    const { maker, record, marksPlaces = false, covered } = this.#options;
    if (covered !== undefined) {
      const start = this.#streams[stream].start ?? 0;
      for (const line of found) {
        this.#add(stream, start + (line.end ?? 0), (by, entries) => addLine(stream, line, atMs, by, entries));
      }
      return;
    }
    const entries: Entry[] = [];
    for (const line of found) {
      const first = entries.length;
      addLine(stream, line, atMs, maker, entries);
      if (marksPlaces) mark(entries, first, stream, (this.#streams[stream].start ?? 0) + (line.end ?? 0));
    }
    if (entries.length > 0) record(entries);
  }

  /** Adds the entries that end at an offset, without those that the trace has. */
  #add(stream: string, offset: number, make: (maker: EntryMaker, entries: Entry[]) => void): void {
    const { maker, record, marksPlaces = false, covered, onCovered, scratchMaker } = this.#options;
    const known = covered?.get(stream);
    const entries: Entry[] = [];
    const isCovered = known !== undefined && offset <= known.offset;
    make(isCovered && scratchMaker !== undefined ? scratchMaker : maker, entries);
    if (marksPlaces) mark(entries, 0, stream, offset);
    if (!isCovered) {
      if (entries.length > 0) record(entries);
      return;
    }
    const has = offset < known.offset ? entries.length : known.entries;
    onCovered?.(entries.slice(0, has));
    if (has >= entries.length) return;
    // The trace has only the first messages of a batch.
    const rest: Entry[] = [];
    make(maker, rest);
    if (marksPlaces) mark(rest, 0, stream, offset);
    record(rest.slice(has));
  }
}

/** A long line that is being read, the offset after it, and the bytes that follow. */
interface OpenLongLine extends LongStdioLine {
  readonly end: number;
  readonly rest: Uint8Array;
}

/** The lines of one stream, and the offset of the first byte that was read of it. */
class StreamLines {
  readonly splitter: BoundedLines;
  start: number | undefined;

  constructor(maxMessageBytes: number) {
    this.splitter = new BoundedLines(maxMessageBytes);
  }
}

/** Adds the entries of a line. */
export function addLine(
  stream: StdioStream,
  line: DecodedLine | LongLine,
  atMs: number,
  maker: EntryMaker,
  entries: Entry[],
): void {
  if (stream === 'err') {
    entries.push(lineEntry('stdio.stderr', atMs, line));
    return;
  }
  const frame = frameOf(line);
  const direction = stream === 'in' ? 'client_to_server' : 'server_to_client';
  if (frame !== undefined) maker.addFrame(frame, direction, atMs, entries);
}

function addAct(act: TrafficAct, atMs: number, maker: EntryMaker, entries: Entry[]): void {
  switch (act.kind) {
    case 'event':
      entries.push(eventEntry(act.event, atMs, act.raw, act.conversation));
      break;
    case 'settled':
      maker.addSettled(act.settled, act.direction, entries);
      break;
    case 'injected':
      maker.addFrame(objectsOf(act.text) ?? { kind: 'noise', text: act.text }, act.direction, atMs, entries, {
        injected: true,
      });
      break;
    case 'ended':
    // The end line is written when the trace is closed.
  }
}

type Markable = { upTo?: JsonText };

const LINE_FEED = 0x0a;

/** Names the stream and the offset of new entries. */
function mark(entries: readonly Entry[], first: number, stream: string, offset: number): void {
  if (first === entries.length) return;
  const upTo = `["${stream}",${offset}]`;
  for (let index = first; index < entries.length; index++) (entries[index] as Markable).upTo = upTo;
}
