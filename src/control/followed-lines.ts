import type { LiveEvent } from './control-protocol.ts';

/** Sends events to one control client. */
export interface EventOutlet {
  /** Whether the client has received nearly everything that was sent to it. */
  readonly hasRoom: boolean;
  send(event: LiveEvent): void;
}

/**
 * Above this many characters per period, the client reads the lines from the trace file. Copying them would slow the
 * session down.
 */
const MAX_AT_ONCE = 1 << 16;
const ONCE_MS = 100;

/** Sends new lines of the trace to a client while it keeps up, and reports the lines that it missed. */
export class FollowedLines {
  readonly #outlet: EventOutlet;
  /** The first line that was neither sent nor reported as missed. */
  #untold: number;
  /** The number after the last line so far. */
  #end: number;
  /** Characters that arrived in the current period. */
  #came = 0;
  /**
   * Whether the last period exceeded the limit. If so, lines are only reported as missed until a period stays below it.
   */
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

  /** Reports missed lines, if the client has room. */
  catchUp(): void {
    if (this.#untold < this.#end && this.#outlet.hasRoom) this.#reportMissed(this.#end);
  }

  /** The session is over: reports missed lines for the last time. */
  end(): void {
    if (this.#untold < this.#end) this.#reportMissed(this.#end);
    this.stop();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Whether to report these lines as missed later instead of sending them. */
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
