import type { IncomingMessage } from 'node:http';

/** How many bytes of request bodies may wait to be forwarded, in all. */
const MAX_WAITING_BYTES = 256 << 20;

/** What a client is told that must come back later. */
export const RETRY_AFTER: readonly string[] = ['Retry-After', '1'];

/** A body that is counted as waiting. */
export interface CountedBody {
  /** What arrives from now on does not wait, and is not counted. */
  readonly stop: () => void;
  /** It no longer waits. */
  readonly release: () => void;
}

/**
 * Limits the memory for request bodies that are read completely before they are forwarded. Each body has a limit of its
 * own, but a client may send many at once.
 */
export class BodyBudget {
  readonly #note: (line: string) => void;
  readonly #max: number;
  #waiting = 0;
  #isReported = false;

  constructor(note: (line: string) => void, max: number = MAX_WAITING_BYTES) {
    this.#note = note;
    this.#max = max;
  }

  /** Counts a body while it is read, until it is released. Calls `refuse` if all are too much. */
  count(request: IncomingMessage, refuse: () => void): CountedBody {
    let counted = 0;
    const stop = (): void => void request.off('data', take);
    const release = (): void => {
      stop();
      this.#waiting -= counted;
      counted = 0;
      if (this.#waiting === 0) this.#isReported = false;
    };
    const take = (chunk: Uint8Array): void => {
      counted += chunk.length;
      this.#waiting += chunk.length;
      if (this.#waiting <= this.#max) return;
      release();
      this.#report();
      refuse();
    };
    request.on('data', take);
    request.once('close', () => {
      if (!request.complete) release();
    });
    return { stop, release };
  }

  #report(): void {
    if (this.#isReported) return;
    this.#isReported = true;
    const megabytes = Math.round(this.#max / (1 << 20));
    this.#note(`mcpreel: Request bodies of more than ${megabytes} MiB wait to be forwarded: others get 503 for now`);
  }
}
