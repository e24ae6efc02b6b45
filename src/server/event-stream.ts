/** A stream of events for one page, as JSON Lines, until the page disconnects. */
export class PageEventStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isOver = false;
  #onRoom: (() => void)[] = [];
  readonly #onLeft: () => void;

  /** Calls `onLeft` once, when the page disconnects. */
  constructor(onLeft: () => void) {
    this.#onLeft = onLeft;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#makeRoom(),
        cancel: () => {
          this.#isOver = true;
          this.#makeRoom();
          onLeft();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING }),
    );
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the page reads as fast as events are sent. */
  get hasRoom(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  /** A page that does not read is disconnected before its events fill the memory. It connects again when it reads. */
  send(event: object): void {
    if (this.#isOver) return;
    this.#controller?.enqueue(this.#encoder.encode(`${JSON.stringify(event)}\n`));
    if ((this.#controller?.desiredSize ?? 0) >= -MAX_BEHIND) return;
    this.#isOver = true;
    this.#controller?.error(new Error('the page does not read its events'));
    this.#makeRoom();
    this.#onLeft();
  }

  /** Resolves when the page has read some events, or has disconnected. */
  room(): Promise<void> {
    if (this.hasRoom || this.#isOver) return Promise.resolve();
    return new Promise((resolve) => this.#onRoom.push(resolve));
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#controller?.close();
    this.#makeRoom();
  }

  #makeRoom(): void {
    for (const resolve of this.#onRoom.splice(0)) resolve();
  }
}

const MAX_WAITING = 1 << 20;
const MAX_BEHIND = 64 << 20;
