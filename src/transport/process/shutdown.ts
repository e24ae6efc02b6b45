import type { TargetProcess } from './target-process.ts';

/** Time limits for ending a server. */
export interface ShutdownPatience {
  /** From the end of its stdin and SIGTERM to SIGKILL for its process group. Clients kill mcpreel after 2 seconds. */
  readonly killAfterMs: number;
  /** After the end of its stdin: from the loss of the parent process to SIGTERM. */
  readonly orphanAfterMs: number;
  /** From that SIGTERM to SIGKILL. */
  readonly orphanKillAfterMs: number;
}

export const DEFAULT_PATIENCE: ShutdownPatience = { killAfterMs: 1500, orphanAfterMs: 5000, orphanKillAfterMs: 2000 };

const PROBE_KILL_AFTER_MS = 700;

/** A server that runs this long after the end of its stdin ignores it. */
const LINGERING_MS = 100;

/** How often to check whether the parent process still exists. */
const POLL_MS = 200;

export interface ShutdownOptions {
  readonly target: Pick<TargetProcess, 'signal'>;
  readonly patience: ShutdownPatience;
  readonly parentIsGone: () => boolean;
  /** Whether the client only probes the server's capabilities. Such clients kill mcpreel after one second. */
  readonly isProbe: () => boolean;
  /** Whether a client can stop mcpreel by a signal. If it cannot, the end of stdin is the request to stop. */
  readonly clientSignals: boolean;
  /** Whether the client waits for an answer. Called only if `clientSignals` is false. */
  readonly hasOpenRequests: () => boolean;
  /** Called if `clientSignals` is false and the server outlives its stdin: the client may kill mcpreel soon. */
  readonly onLingering: () => void;
  /** Called for each signal that mcpreel itself sends to the server, not for forwarded ones. */
  readonly onOwnSignal: (signal: NodeJS.Signals, why: string) => void;
}

/** Ensures that no server outlives its client. Some ignore the end of their stdin, and some ignore SIGTERM, too. */
export class Shutdown {
  readonly #options: ShutdownOptions;
  readonly #timers = new Set<NodeJS.Timeout>();
  #inputEnded = false;
  #stopRequested = false;
  #closed = false;

  constructor(options: ShutdownOptions) {
    this.#options = options;
  }

  /** The client has closed stdin. */
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

  /** A signal was forwarded to the server. */
  signalled(signal: NodeJS.Signals): void {
    if (signal !== 'SIGTERM' || this.#stopRequested || this.#closed) return;
    this.#stopRequested = true;
    if (this.#options.clientSignals) this.#killIfStopped();
  }

  /** The server has exited. */
  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #killIfStopped(): void {
    if (!this.#inputEnded || !this.#stopRequested) return;
    this.#later(this.#killDelayMs(), () => this.#kill('still running after its stdin was closed and a SIGTERM'));
  }

  /** A server with open requests gets its time to exit after it has answered them. */
  #killUnlessBusy(wasBusy: boolean): void {
    this.#later(this.#killDelayMs(), () => {
      const isBusy = this.#options.hasOpenRequests();
      if (!wasBusy && !isBusy) return this.#kill('still running after its stdin was closed');
      this.#killUnlessBusy(isBusy);
    });
  }

  #killDelayMs(): number {
    const { patience, isProbe } = this.#options;
    return isProbe() ? Math.min(patience.killAfterMs, PROBE_KILL_AFTER_MS) : patience.killAfterMs;
  }

  #endOrphan(): void {
    const { orphanAfterMs, orphanKillAfterMs } = this.#options.patience;
    const why = 'the client exited';
    this.#later(orphanAfterMs, () => {
      // The whole group, because no other process would end the server's children.
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
