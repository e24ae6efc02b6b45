import type { OutboundMessage } from './outbound.ts';
import { MAX_WAITING_BYTES } from './own-answer.ts';

/** Above this size, the sender should wait. */
const HIGH_WATER_BYTES = 1 << 20;

export interface SendQueueOptions {
  /** Sends one message. Resolves when the next may be sent. */
  readonly send: (outbound: OutboundMessage) => Promise<void>;
  readonly onDrain: () => void;
}

/** Queues outgoing messages, and sends them in order. */
export class SendQueue {
  readonly #options: SendQueueOptions;
  #waiting: OutboundMessage[] = [];
  #size = 0;
  #reportedToWait = false;
  /** Resolves when the queue is empty. */
  #idle: Promise<void> | undefined;

  constructor(options: SendQueueOptions) {
    this.#options = options;
  }

  /** Whether the queue accepts no more. */
  get isFull(): boolean {
    return this.#size > MAX_WAITING_BYTES;
  }

  /** Resolves when everything queued was sent. */
  get idle(): Promise<void> {
    return this.#idle ?? Promise.resolve();
  }

  /** Queues a message. Returns false if the sender should wait for `onDrain`. */
  push(outbound: OutboundMessage): boolean {
    this.#waiting.push(outbound);
    this.#size += outbound.text.length;
    this.#idle ??= this.#run();
    if (this.#size <= HIGH_WATER_BYTES) return true;
    this.#reportedToWait = true;
    return false;
  }

  /** Removes a message that is still queued. */
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
      // The queue may have been cleared meanwhile.
      this.#size = Math.max(0, this.#size - next.text.length);
      if (this.#reportedToWait && this.#size <= HIGH_WATER_BYTES) {
        this.#reportedToWait = false;
        this.#options.onDrain();
      }
    }
    this.#idle = undefined;
  }
}
