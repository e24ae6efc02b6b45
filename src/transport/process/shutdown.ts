import type { TargetProcess } from './target-process.ts';

/** How long a server gets to end by itself before it is made to. */
export interface ShutdownPatience {
  /** From the end of its input and a SIGTERM to the end of it and all that it started. Clients kill us after two seconds. */
  readonly killAfterMs: number;
  /** From the end of its input, with nobody left who could stop it, to a SIGTERM. */
  readonly orphanAfterMs: number;
  /** From that SIGTERM to the end. */
  readonly orphanKillAfterMs: number;
}

export const DEFAULT_PATIENCE: ShutdownPatience = { killAfterMs: 1500, orphanAfterMs: 5000, orphanKillAfterMs: 2000 };

const PROBE_KILL_AFTER_MS = 700;

/** A server that goes on for so long after the end of its input does not end with it. */
const LINGERING_MS = 100;

/** How often we look whether our parent is still there. */
const POLL_MS = 200;

export interface ShutdownOptions {
  readonly target: Pick<TargetProcess, 'signal'>;
  readonly patience: ShutdownPatience;
  readonly parentIsGone: () => boolean;
  /** Whether the client only asks what the server can do. Such clients kill us after one second. */
  readonly isProbe: () => boolean;
  /** Whether a client can tell us to stop, and the server through us. Where it cannot, the end of the input says so. */
  readonly clientSignals: boolean;
  /** Whether the client waits for an answer. Asked only where it cannot tell us to stop. */
  readonly hasOpenRequests: () => boolean;
  /** Told where it cannot, and the server does not end with its input: the client may kill this process soon. */
  readonly onLingering: () => void;
  /** Told of each signal that the server gets from us rather than from the client. */
  readonly onOwnSignal: (signal: NodeJS.Signals, why: string) => void;
}

/** Sees to it that no server outlives its client: some ignore the end of their input, and some a SIGTERM too. */
export class Shutdown {
  readonly #options: ShutdownOptions;
  readonly #timers = new Set<NodeJS.Timeout>();
  #inputEnded = false;
  #reportedToStop = false;
  #closed = false;

  constructor(options: ShutdownOptions) {
    this.#options = options;
  }

  /** The client will say nothing more. */
  inputEnded(): void {
    if (this.#inputEnded || this.#closed) return;
    this.#inputEnded = true;
    if (this.#options.clientSignals) this.#killIfStopped();
    else {
      this.#later(LINGERING_MS, () => this.#options.onLingering());
      this.#killUnlessBusy(this.#options.hasOpenRequests());
    }
    const poll = setInterval(() => {
      if (!this.#options.parentIsGone()) return;
      clearInterval(poll);
      this.#endOrphan();
    }, POLL_MS);
    this.#timers.add(poll);
  }

  /** A signal was passed on to the server. */
  signalled(signal: NodeJS.Signals): void {
    if (signal !== 'SIGTERM' || this.#reportedToStop || this.#closed) return;
    this.#reportedToStop = true;
    if (this.#options.clientSignals) this.#killIfStopped();
  }

  /** The server has ended. */
  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #killIfStopped(): void {
    if (!this.#inputEnded || !this.#reportedToStop) return;
    this.#later(this.#killDelayMs(), () => this.#kill('it went on after the end of its input and a SIGTERM'));
  }

  /** A server that still has to answer gets its time for ending once it has answered. */
  #killUnlessBusy(wasBusy: boolean): void {
    this.#later(this.#killDelayMs(), () => {
      const isBusy = this.#options.hasOpenRequests();
      if (!wasBusy && !isBusy) return this.#kill('it went on after the end of its input');
      this.#killUnlessBusy(isBusy);
    });
  }

  #killDelayMs(): number {
    const { patience, isProbe } = this.#options;
    return isProbe() ? Math.min(patience.killAfterMs, PROBE_KILL_AFTER_MS) : patience.killAfterMs;
  }

  #endOrphan(): void {
    const { orphanAfterMs, orphanKillAfterMs } = this.#options.patience;
    const why = 'the client is gone';
    this.#later(orphanAfterMs, () => {
      // Nobody is left to see to what it started, either.
      this.#options.target.signal('SIGTERM', 'group');
      this.#options.onOwnSignal('SIGTERM', why);
      this.#later(orphanKillAfterMs, () => this.#kill(why));
    });
  }

  #kill(why: string): void {
    this.#options.target.signal('SIGKILL', 'group');
    this.#options.onOwnSignal('SIGKILL', why);
  }

  #later(delayMs: number, work: () => void): void {
    this.#timers.add(setTimeout(work, delayMs));
  }
}
