import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { reasonOf } from '../files/reason.ts';
import { endLine, entryLine } from '../formats/trace/trace-writer.ts';
import type { Entry } from '../model/entry.ts';
import type { SessionFooter } from '../model/session.ts';
import { formatTraceTime } from '../model/times.ts';
import { EntryMaker, eventEntry } from '../record/entry-maker.ts';
import { type JournalHead, readJournalHead } from '../record/journal/journal-head.ts';
import { JournalReader, type JournalRecord, type ReadBytes } from '../record/journal/journal-record.ts';
import { STDIO_STREAMS, type StdioStream, StdioTraffic, type TrafficAct } from '../record/stdio-traffic.ts';
import { TraceTail } from '../record/trace-tail.ts';
import { REDACT_MODES } from '../redact/redaction-rules.ts';
import type { Redactor } from '../redact/redactor.ts';
import { redactorFor } from '../redact/redactor-for.ts';
import { coverageOf, type TraceCoverage } from './trace-coverage.ts';

/** What became of the journal of a session that was killed. */
export type JournalRecovery =
  /** `entries` are those that were missing in the trace. */
  | {
      readonly kind: 'recovered';
      readonly head: JournalHead;
      readonly trace: string;
      readonly entries: number;
      readonly messages: number;
    }
  /** Nothing had been forwarded. */
  | { readonly kind: 'empty' }
  /** It cannot be read or written to the trace, and stays. */
  | { readonly kind: 'left'; readonly why: string };

const { O_RDONLY, O_NOFOLLOW = 0 } = constants;
const HEAD_BYTES = 1 << 16;
const RECOVERED = 'recovered';
const READ_STREAMS: readonly StdioStream[] = ['in', 'out'];

/** Appends what is only in a journal to its trace. Does nothing the second time. */
export async function recoverJournal(path: string, nowMs: number): Promise<JournalRecovery> {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW);
    const file = descriptor;
    const { size } = fstatSync(file);
    const read: ReadBytes = (into, position) => readSync(file, into, 0, into.length, position);
    const found = readHead(read, size);
    if ('fault' in found) {
      if (found.fault === 'cut off') return { kind: 'empty' };
      return { kind: 'left', why: 'another version of mcpreel wrote it' };
    }
    return await new JournalRecoverer(found.head, nowMs).run(new JournalReader(read, found.bytes), size);
  } catch (error) {
    return { kind: 'left', why: reasonOf(error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readHead(read: ReadBytes, size: number): ReturnType<typeof readJournalHead> {
  for (let length = Math.min(HEAD_BYTES, size); ; length = Math.min(8 * length, size)) {
    const beginning = new Uint8Array(length);
    const count = read(beginning, 0);
    const found = readJournalHead(beginning.subarray(0, count));
    if (!('fault' in found) || found.fault !== 'cut off' || length === size) return found;
  }
}

/** Completes the recording of one session. */
class JournalRecoverer {
  readonly #head: JournalHead;
  readonly #nowMs: number;
  #redactor: Redactor | undefined;
  #tail: TraceTail | undefined;
  #seq = 0;
  #entries = 0;
  #messages = 0;
  #lastAtMs: number;
  #footer: SessionFooter | undefined;

  constructor(head: JournalHead, nowMs: number) {
    this.#head = head;
    this.#nowMs = nowMs;
    this.#lastAtMs = head.header.startedAtMs;
  }

  async run(reader: JournalReader, size: number): Promise<JournalRecovery> {
    const { header, trace, maxMessageBytes, redaction } = this.#head;
    const mode = REDACT_MODES.find((known) => known === redaction.mode) ?? 'strict';
    this.#redactor = await redactorFor({ ...redaction, mode }, redaction);
    const maker = new EntryMaker(header.id);
    const coverage = await coverageOf(trace, header.id, maker);
    this.#seq = coverage?.nextSeq ?? 0;
    const traffic = new StdioTraffic({
      maker,
      scratchMaker: new EntryMaker(header.id),
      maxMessageBytes,
      marksPlaces: true,
      covered: coverage?.streams ?? new Map(),
      onCovered: (entries) => this.#redacted(entries),
      record: (entries) => this.#record(entries, coverage),
    });
    try {
      // Cuts off a line that is not complete.
      if (coverage !== undefined && !coverage.hasEnded) this.#tailOf(coverage);
      const offsets = this.#replay(reader, size, traffic);
      this.#recordBroken(traffic, offsets, coverage);
      this.#finish(coverage);
    } finally {
      this.#tail?.close();
    }
    const path = this.#tail?.path ?? coverage?.path ?? trace;
    return { kind: 'recovered', head: this.#head, trace: path, entries: this.#entries, messages: this.#messages };
  }

  /** Returns the length of each stream. */
  #replay(reader: JournalReader, size: number, traffic: StdioTraffic): Map<StdioStream, number> {
    const offsets = new Map<StdioStream, number>();
    for (let record = reader.next(size); record !== undefined; record = reader.next(size)) {
      this.#lastAtMs = Math.max(this.#lastAtMs, record.atMs);
      if (record.kind === 'act') this.#act(record, traffic);
      else {
        const name = STDIO_STREAMS[record.stream];
        if (name === undefined || name === 'act') continue;
        offsets.set(name, record.offset);
        if (record.kind === 'bytes') traffic.bytes(name, record.payload, record.atMs, record.offset);
        else traffic.end(name, record.atMs);
      }
    }
    return offsets;
  }

  #act({ payload, atMs, offset }: JournalRecord, traffic: StdioTraffic): void {
    const act = JSON.parse(Buffer.from(payload).toString()) as TrafficAct;
    if (act.kind === 'ended') this.#footer = act.footer;
    traffic.act(act, atMs, offset);
  }

  /** Of messages that were not complete, only the size is recorded. */
  #recordBroken(
    traffic: StdioTraffic,
    offsets: ReadonlyMap<StdioStream, number>,
    coverage: TraceCoverage | undefined,
  ): void {
    for (const stream of READ_STREAMS) {
      const size = (traffic.pending(stream) ?? []).reduce((total, { length }) => total + length, 0);
      const offset = offsets.get(stream) ?? 0;
      if (size === 0 || offset <= (coverage?.streams.get(stream)?.offset ?? 0)) continue;
      const details = { missed: 1, why: 'mcpreel was killed before the message was complete', dir: stream, size };
      this.#record([marked(eventEntry('mcpreel.gap', this.#lastAtMs, details), stream, offset)], coverage);
    }
  }

  #finish(coverage: TraceCoverage | undefined): void {
    if (coverage?.hasEnded === true) return;
    if ((this.#entries > 0 || this.#tail?.wasTorn === true) && coverage?.streams.has(RECOVERED) !== true) {
      const details = { action: 'recover', entries: this.#entries, at: formatTraceTime(this.#nowMs) };
      this.#append([marked(eventEntry('mcpreel.action', this.#lastAtMs, details), RECOVERED, 1)], coverage);
    }
    if (this.#footer !== undefined) this.#tailOf(coverage).append(endLine(this.#footer));
    this.#tail?.flush();
  }

  #record(entries: readonly Entry[], coverage: TraceCoverage | undefined): void {
    // Entries after the end of the session are not part of it.
    if (coverage?.hasEnded === true) return;
    this.#entries += entries.length;
    for (const { kind } of entries) if (kind === 'message') this.#messages++;
    this.#append(this.#redacted(entries), coverage);
  }

  #append(entries: readonly Entry[], coverage: TraceCoverage | undefined): void {
    const tail = this.#tailOf(coverage);
    for (const entry of entries) tail.append(entryLine(entry, this.#seq++));
  }

  #redacted(entries: readonly Entry[]): readonly Entry[] {
    const redactor = this.#redactor;
    return redactor === undefined ? entries : entries.map((entry) => redactor.entry(entry));
  }

  #tailOf(coverage: TraceCoverage | undefined): TraceTail {
    const { trace, header } = this.#head;
    this.#tail ??= coverage === undefined ? TraceTail.create(trace, header) : TraceTail.open(coverage.path);
    return this.#tail;
  }
}

function marked(entry: Entry, stream: string, offset: number): Entry {
  return { ...entry, upTo: `["${stream}",${offset}]` } as Entry;
}
