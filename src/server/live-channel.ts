import { setTimeout as delay } from 'node:timers/promises';
import { numberOf, type OpenTrace, TraceLineFeed } from '../control/trace-lines.ts';
import type { RunningSession } from '../state/live-sessions.ts';
import type { PageEventStream } from './event-stream.ts';
import type { LinkEnding, LiveLink } from './live-link.ts';

/** The maximum number of lines per event. */
const BATCH = 500;

/** A session reports its end before the last line of its trace is written. */
const TRIES_FOR_END = 20;
const BETWEEN_TRIES_MS = 50;

export interface ChannelOptions {
  readonly openTrace: OpenTrace;
  readonly nowMs: () => number;
  /** The number of the first line that the page does not have. */
  readonly from: number;
}

/**
 * Sends the lines of one session to one page. It sends them live, or reads them from the trace if the page or this
 * process fell behind.
 */
export class LiveChannel {
  readonly #stream: PageEventStream;
  readonly #id: string;
  readonly #trace: TraceLineFeed;
  readonly #nowMs: () => number;
  /** `#next` is the next line to send. `#end` is the number after the last existing line. */
  #next: number;
  #end: number;
  #reading: Promise<void> | undefined;

  constructor(stream: PageEventStream, { id, trace }: Pick<RunningSession, 'id' | 'trace'>, options: ChannelOptions) {
    this.#stream = stream;
    this.#id = id;
    this.#trace = new TraceLineFeed(options.openTrace, trace);
    this.#nowMs = options.nowMs;
    this.#next = options.from;
    this.#end = options.from;
  }

  /** The number of the first line that was not sent to the page. */
  get next(): number {
    return this.#next;
  }

  /** Follows a session until it is over or the page disconnects. */
  async follow(link: LiveLink): Promise<void> {
    const waiting: (() => void)[] = [];
    let isBegun = false;
    const report = (work: () => void): void => void (isBegun ? work() : waiting.push(work));
    const stop = link.listen({
      onLines: (firstSeq, lines) => report(() => this.#take(firstSeq, lines)),
      onMissed: (to) => report(() => this.#want(to)),
      onEvent: (event) => report(() => this.#send(event)),
    });
    try {
      const { held, nextSeq } = link;
      const header = await this.#trace.header().catch(() => undefined);
      const { label, startedAtMs, pid } = link.session;
      const { state, facts } = link.client;
      const nowMs = this.#nowMs();
      this.#send({ type: 'begin', label, startedAtMs, pid, transport: facts.transport, header, state, held, nowMs });
      this.#want(nextSeq);
      isBegun = true;
      for (const work of waiting) work();
      await this.finish(await link.over);
    } finally {
      stop();
    }
  }

  /** Sends the rest of a session that is over. */
  async finish(ending: LinkEnding): Promise<void> {
    await this.#reading;
    const line = ending.type === 'end' ? await this.#endLine() : undefined;
    if (ending.type === 'end') await this.#readUpTo(Number.POSITIVE_INFINITY).catch(() => undefined);
    this.#send({ ...ending, line });
  }

  #take(firstSeq: number, lines: readonly string[]): void {
    const after = firstSeq + lines.length;
    if (this.#reading !== undefined || firstSeq > this.#next || !this.#stream.hasRoom) {
      this.#want(after);
      return;
    }
    const unknown = lines.slice(this.#next - firstSeq);
    if (unknown.length === 0) return;
    this.#next = after;
    this.#end = Math.max(this.#end, after);
    this.#send({ type: 'lines', lines: unknown, next: after });
  }

  #want(end: number): void {
    this.#end = Math.max(this.#end, end);
    if (this.#next >= this.#end) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
  }

  async #read(): Promise<void> {
    while (this.#next < this.#end && !this.#stream.isOver) {
      const to = this.#end;
      try {
        await this.#readUpTo(to);
      } catch {
        // The trace may have been removed. Lines that no longer exist are skipped.
      }
      this.#next = Math.max(this.#next, to);
    }
  }

  async #readUpTo(to: number): Promise<void> {
    let lines: string[] = [];
    const report = async (): Promise<void> => {
      const last = lines.at(-1);
      if (last === undefined) return;
      this.#next = (numberOf(last) ?? this.#next) + 1;
      this.#send({ type: 'lines', lines, next: this.#next });
      lines = [];
      await this.#stream.room();
    };
    for await (const line of this.#trace.range(this.#next, to)) {
      if (this.#stream.isOver) return;
      if (lines.push(line) === BATCH) await report();
    }
    await report();
  }

  async #endLine(): Promise<string | undefined> {
    for (let tries = 0; tries < TRIES_FOR_END && !this.#stream.isOver; tries++) {
      const line = await this.#trace.ending().catch(() => undefined);
      if (line !== undefined) return line;
      await delay(BETWEEN_TRIES_MS);
    }
    return undefined;
  }

  #send(event: object): void {
    this.#stream.send({ session: this.#id, ...event });
  }
}
