import type { StdioStream, StdioTraffic, TrafficAct } from '../stdio-traffic.ts';

/** Takes what passes in a session, so that it is recorded. */
export interface TrafficLog {
  /** Whether everything must be logged before it takes effect. Otherwise it takes effect first. */
  readonly goesFirst: boolean;
  bytes(stream: StdioStream, chunk: Uint8Array, atMs: number): void;
  /** No more bytes of this stream follow. */
  end(stream: StdioStream, atMs: number): void;
  act(act: TrafficAct, atMs: number): void;
  /** Records everything that was logged until now. */
  settle(): void;
  /** The session is over, and all of it is in its files, unless `isKept` is false. */
  close(isKept: boolean): void;
}

/** Records everything at once: before it takes effect (`--durable`), or after it (`--no-journal`). */
export class DirectLog implements TrafficLog {
  readonly goesFirst: boolean;
  readonly #traffic: StdioTraffic;

  constructor(traffic: StdioTraffic, goesFirst: boolean) {
    this.#traffic = traffic;
    this.goesFirst = goesFirst;
  }

  bytes(stream: StdioStream, chunk: Uint8Array, atMs: number): void {
    this.#traffic.bytes(stream, chunk, atMs, 0);
  }

  end(stream: StdioStream, atMs: number): void {
    this.#traffic.end(stream, atMs);
  }

  act(act: TrafficAct, atMs: number): void {
    this.#traffic.act(act, atMs, 0);
  }

  settle(): void {}

  close(): void {}
}
