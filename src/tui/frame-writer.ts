import { restAfter } from './rest-after.ts';

/** The minimum time between two frames drawn for traffic. */
const FRAME_MS = 100;

/** Schedules drawing: at once after a key press, and throttled for traffic to leave CPU time to the session. */
export class FrameWriter {
  readonly #draw: () => void;
  readonly #nowMs: () => number;
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;
  /** Traffic is not drawn before this time. */
  #restsUntilMs = 0;

  constructor(draw: () => void, nowMs: () => number) {
    this.#draw = draw;
    this.#nowMs = nowMs;
  }

  /** Draws after a key press. Keys that arrive together share one frame. */
  next(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#isDue && this.now());
  }

  /** Draws soon after new traffic. */
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

  /** Only traffic frames are followed by a pause, because the effect of a key press must appear at once. */
  #drawTraffic(): void {
    const startedAtMs = this.#nowMs();
    this.now();
    const endedAtMs = this.#nowMs();
    this.#restsUntilMs = endedAtMs + restAfter(endedAtMs - startedAtMs);
  }

  /** Limited to the longest pause, because the clock may be set back. */
  #restMs(): number {
    return Math.min(this.#restsUntilMs - this.#nowMs(), restAfter(Number.POSITIVE_INFINITY));
  }
}
