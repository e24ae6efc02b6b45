import { numberOf, type TraceLineFeed } from '../../control/trace-lines.ts';
import { TraceEntryReader } from '../../formats/trace/entry-reader.ts';
import { headerFrom } from '../../formats/trace/trace-header.ts';
import { ObjectView } from '../../json/object-view.ts';
import type { Entry } from '../../model/entry.ts';
import { type SessionHeader, unnamedHeader } from '../../model/session.ts';
import type { RunningSession } from '../../state/live-sessions.ts';
import { breath, type RefreshPace } from './pace.ts';
import type { FeedListener } from './session-feed.ts';

/** The number of trace lines read before other work gets a turn. */
const BATCH = 200;

/** Reads the entries of a trace while it is being written. */
export class TraceEntries {
  readonly #session: RunningSession;
  readonly #trace: TraceLineFeed;
  readonly #pace: RefreshPace;
  readonly #listener: FeedListener;
  #reader: TraceEntryReader | undefined;
  #lines = 0;
  #next = 0;

  constructor(session: RunningSession, trace: TraceLineFeed, pace: RefreshPace, listener: FeedListener) {
    this.#session = session;
    this.#trace = trace;
    this.#pace = pace;
    this.#listener = listener;
  }

  /** The number of the first line not yet reported. */
  get next(): number {
    return this.#next;
  }

  /** Reads the header; call it first. Resolves with the first line, if there is one. */
  async readHeader(): Promise<ObjectView | undefined> {
    const line = await this.#trace.header().catch(() => undefined);
    const first = line === undefined ? undefined : ObjectView.of(line);
    const header = first?.string('type') === 'meta' ? headerFrom(first) : this.#ownHeader();
    this.#reader = new TraceEntryReader(header, () => undefined);
    this.#listener.onHeader(header);
    return first;
  }

  /** Reads the lines from number `from` up to, but not including, `to`. */
  async readRange(from: number, to: number): Promise<void> {
    let lines: string[] = [];
    this.#next = from;
    for await (const line of this.#trace.range(from, to)) {
      lines.push(line);
      this.#next = (numberOf(line) ?? this.#next) + 1;
      if (lines.length < BATCH) continue;
      const startedAtMs = this.#pace.nowMs();
      this.#report(lines);
      lines = [];
      // Lines from before the screen opened are read without pauses, because the user is waiting for them.
      await (from === 0 ? breath() : this.#pace.restSince(startedAtMs));
    }
    if (Number.isFinite(to)) this.#next = to;
    this.#report(lines);
  }

  /** Takes announced lines; `first` is the number of the first one. */
  take(first: number, lines: readonly string[]): void {
    this.#next = first + lines.length;
    this.#report(lines);
  }

  #report(lines: readonly string[]): void {
    const entries: Entry[] = [];
    for (const text of lines) this.#reader?.take({ text, ended: true, number: ++this.#lines }, entries);
    if (entries.length > 0) this.#listener.onEntries(entries);
  }

  #ownHeader(): SessionHeader {
    const { id, label, startedAtMs } = this.#session;
    return { ...unnamedHeader(id), label, startedAtMs };
  }
}
