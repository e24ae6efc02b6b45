import { constants } from 'node:os';

/** Hears of what ends a screen from outside. */
export interface TuiInterruption {
  /** Resolves when a signal came. Rejects with what went wrong where nobody expected it. */
  readonly came: Promise<void>;
  /** The exit status that goes with a signal; 0 as long as none came. */
  status(): number;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** From now on the terminal is given back first, whatever ends this process short of `kill -9`. */
export function untilInterrupted(): TuiInterruption {
  let status = 0;
  const came = new Promise<void>((resolve, reject) => {
    for (const name of SIGNALS) {
      // The listener stays: without one, the library behind the screen would end the process on the spot.
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
