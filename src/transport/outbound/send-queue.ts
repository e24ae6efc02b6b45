import type { OutboundMessage } from './outbound.ts';
import { MAX_WAITING_BYTES } from './own-answer.ts';

/** Beyond this, whoever sends should wait. */
const HIGH_WATER_BYTES = 1 << 20;

export interface SendQueueOptions {
  /** Sends one; resolves when the next may go. */
  readonly send: (outbound: OutboundMessage) => Promise<void>;
  readonly onDrain: () => void;
}

/** What waits to be sent, in order. */
export class SendQueue {
  readonly #options: SendQueueOptions;
  #waiting: OutboundMessage[] = [];
  #size = 0;
  #reportedToWait = false;
  /** Resolves when nothing waits. */
  #idle: Promise<void> | undefined;

  constructor(options: SendQueueOptions) {
    this.#options = options;
  }

  /** Whether so much waits that nothing more should. */
  get isFull(): boolean {
    return this.#size > MAX_WAITING_BYTES;
  }

  /** Resolves when all that was given is sent. */
  get idle(): Promise<void> {
    return this.#idle ?? Promise.resolve();
  }

  /** Takes one more; says whether others may follow at once. */
  push(outbound: OutboundMessage): boolean {
    this.#waiting.push(outbound);
    this.#size += outbound.text.length;
    this.#idle ??= this.#run();
    if (this.#size <= HIGH_WATER_BYTES) return true;
    this.#reportedToWait = true;
    return false;
  }

  /** Takes back what is still waiting. */
  remove(isUnwanted: (outbound: OutboundMessage) => boolean): OutboundMessage | undefined {
    const outbound = this.#waiting.find(isUnwanted);
    if (outbound !== undefined) {
      this.#waiting = this.#waiting.filter((other) => other !== outbound);
      this.#size -= outbound.text.length;
    }
    return outbound;
  }

  clear(): void {
    this.#waiting = [];
    this.#size = 0;
  }

  async #run(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      await this.#options.send(next);
      // It may have been cleared meanwhile.
      this.#size = Math.max(0, this.#size - next.text.length);
      if (this.#reportedToWait && this.#size <= HIGH_WATER_BYTES) {
        this.#reportedToWait = false;
        this.#options.onDrain();
      }
    }
    this.#idle = undefined;
  }
}
