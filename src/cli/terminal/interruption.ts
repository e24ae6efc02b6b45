import { constants } from 'node:os';

/** Reports signals and uncaught errors that end a screen. */
export interface TuiInterruption {
  /** Resolves when a signal arrives. Rejects on an uncaught error. */
  readonly came: Promise<void>;
  /** The exit status for the signal; 0 if none arrived. */
  status(): number;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * From now on, signals and uncaught errors restore the terminal before the process ends. Only `kill -9` bypasses this.
 */
export function untilInterrupted(): TuiInterruption {
  let status = 0;
  const came = new Promise<void>((resolve, reject) => {
    for (const name of SIGNALS) {
      // The listener stays, because without one Ink would end the process at once.
      process.on(name, () => {
        status = 128 + constants.signals[name];
        resolve();
      });
    }
    process.on('uncaughtException', reject);
    process.on('unhandledRejection', reject);
  });
  return { came, status: () => status };
}

/** Aborts a replay on Ctrl-C, so that the server is stopped before mcpreel exits. */
export class ReplayInterruption {
  readonly #controller = new AbortController();
  readonly #listener = (): void => this.#controller.abort();

  constructor() {
    process.on('SIGINT', this.#listener);
    process.on('SIGTERM', this.#listener);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    process.off('SIGINT', this.#listener);
    process.off('SIGTERM', this.#listener);
  }
}
