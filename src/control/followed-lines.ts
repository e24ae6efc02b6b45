import type { LiveEvent } from './control-protocol.ts';

/** Where events for one screen go. */
export interface EventOutlet {
  /** Whether the screen has taken nearly all that was sent to it. */
  readonly hasRoom: boolean;
  send(event: LiveEvent): void;
}

/** More than so much in so short a time is read from the trace: copying it would take the session's time. */
const MAX_AT_ONCE = 1 << 16;
const ONCE_MS = 100;

/** Tells a screen of the lines of the trace while it keeps up, and which ones it missed when it did not. */
export class FollowedLines {
  readonly #outlet: EventOutlet;
  /** The first line that the screen was told nothing of. */
  #untold: number;
  /** The first line that is not there yet. */
  #end: number;
  /** Characters that came since the time began that is looked at. */
  #came = 0;
  /** Whether it was too much the last time: then nothing is told line by line until it is less again. */
  #isFlood = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(from: number, nextSeq: number, outlet: EventOutlet) {
    this.#outlet = outlet;
    this.#untold = from;
    this.#end = Math.max(from, nextSeq);
    this.catchUp();
  }

  take(firstSeq: number, lines: readonly string[]): void {
    const end = firstSeq + lines.length;
    if (end <= this.#untold) return;
    this.#end = end;
    if (!this.#outlet.hasRoom) return;
    if (this.#isTooMuch(lines)) return;
    if (firstSeq > this.#untold) this.#reportMissed(firstSeq);
    const fresh = lines.slice(this.#untold - firstSeq);
    this.#outlet.send({ type: 'lines', firstSeq: this.#untold, lines: fresh });
    this.#untold = end;
  }

  /** Says what was missed, if there is room to say it. */
  catchUp(): void {
    if (this.#untold < this.#end && this.#outlet.hasRoom) this.#reportMissed(this.#end);
  }

  /** The session is over: what is told now is the last. */
  end(): void {
    if (this.#untold < this.#end) this.#reportMissed(this.#end);
    this.stop();
  }

  /** Nobody is told any more. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Whether to tell only later, in a few words, that these came. */
  #isTooMuch(lines: readonly string[]): boolean {
    if (this.#timer === undefined) this.#lookLater();
    if (this.#came <= MAX_AT_ONCE) this.#came += lengthOf(lines);
    return this.#isFlood || this.#came > MAX_AT_ONCE;
  }

  #lookLater(): void {
    this.#timer = setTimeout(() => this.#beginAnew(), ONCE_MS).unref();
  }

  #beginAnew(): void {
    this.#timer = undefined;
    this.#isFlood = this.#came > MAX_AT_ONCE;
    this.#came = 0;
    this.catchUp();
    if (this.#isFlood) this.#lookLater();
  }

  #reportMissed(to: number): void {
    this.#outlet.send({ type: 'missed', from: this.#untold, to });
    this.#untold = to;
  }
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((length, line) => length + line.length, 0);
}
