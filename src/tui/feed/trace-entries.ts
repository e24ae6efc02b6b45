import { setTimeout as delay } from 'node:timers/promises';
import { EntryReader } from '../../formats/trace-entries.ts';
import { headerFrom } from '../../formats/trace-header.ts';
import { ObjectView } from '../../json/object-view.ts';
import { numberOf, type TraceLines } from '../../live/trace-lines.ts';
import type { Entry } from '../../model/entry.ts';
import { type SessionHeader, unnamedHeader } from '../../model/session.ts';
import type { LiveSession } from '../../state/live-sessions.ts';
import type { FeedListener } from './session-feed.ts';

/** Lines of a trace that are read at once before anybody else has their turn. */
const BATCH = 500;
/** What lies between two batches of a flood: whoever talks has the processors meanwhile, and the screen catches up later. */
const REST_MS = 15;

/** Tells of the entries of a trace that is being written. */
export class TraceEntries {
  readonly #session: LiveSession;
  readonly #trace: TraceLines;
  readonly #listener: FeedListener;
  #reader: EntryReader | undefined;
  #lines = 0;

  constructor(session: LiveSession, trace: TraceLines, listener: FeedListener) {
    this.#session = session;
    this.#trace = trace;
    this.#listener = listener;
  }

  /** Comes before everything else. Resolves with the first line, where it is there. */
  async readHeader(): Promise<ObjectView | undefined> {
    const line = await this.#trace.header().catch(() => undefined);
    const first = line === undefined ? undefined : ObjectView.of(line);
    const header = first?.string('type') === 'meta' ? headerFrom(first) : this.#ownHeader();
    this.#reader = new EntryReader(header, () => undefined);
    this.#listener.onHeader(header);
    return first;
  }

  /** Reads lines with numbers from `from` up to but not including `to`; resolves with the number after the last one. */
  async readRange(from: number, to: number): Promise<number> {
    let lines: string[] = [];
    let next = from;
    for await (const line of this.#trace.range(from, to)) {
      lines.push(line);
      next = (numberOf(line) ?? next) + 1;
      if (lines.length < BATCH) continue;
      this.take(lines);
      lines = [];
      // What was there before the screen is read at once: somebody waits for it.
      await (from === 0 ? new Promise((resolve) => setImmediate(resolve)) : delay(REST_MS));
    }
    this.take(lines);
    return next;
  }

  take(lines: readonly string[]): void {
    const entries: Entry[] = [];
    for (const text of lines) this.#reader?.take({ text, ended: true, number: ++this.#lines }, entries);
    if (entries.length > 0) this.#listener.onEntries(entries);
  }

  #ownHeader(): SessionHeader {
    const { id, label, startedAtMs } = this.#session;
    return { ...unnamedHeader(id), label, startedAtMs };
  }
}
