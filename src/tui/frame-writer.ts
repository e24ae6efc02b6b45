import { restAfter } from './rest-after.ts';

/** Traffic is drawn this often at most. */
const FRAME_MS = 100;

/** Knows when to draw: at once after keys, and traffic as often as leaves the session its processors. */
export class FrameWriter {
  readonly #draw: () => void;
  readonly #nowMs: () => number;
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;
  /** Before this, traffic is not drawn. */
  #restsUntilMs = 0;

  constructor(draw: () => void, nowMs: () => number) {
    this.#draw = draw;
    this.#nowMs = nowMs;
  }

  /** A key was pressed. Keys that came together are drawn together. */
  next(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#isDue && this.now());
  }

  /** Something came that somebody may want to see. */
  soon(): void {
    this.#timer ??= setTimeout(() => this.#drawTraffic(), Math.max(FRAME_MS, this.#restMs()));
  }

  now(): void {
    this.stop();
    this.#draw();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = false;
  }

  /** Only frames of traffic are followed by a rest: what a key has caused is to be seen soon after it. */
  #drawTraffic(): void {
    const startedAtMs = this.#nowMs();
    this.now();
    const endedAtMs = this.#nowMs();
    this.#restsUntilMs = endedAtMs + restAfter(endedAtMs - startedAtMs);
  }

  /** Clocks are set back now and then: no rest is longer than the longest. */
  #restMs(): number {
    return Math.min(this.#restsUntilMs - this.#nowMs(), restAfter(Number.POSITIVE_INFINITY));
  }
}
