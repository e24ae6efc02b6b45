// Measures the load of the machine. Claims about times hold only while processes get to run.
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 10;

/** After a slower write, as on a machine that is busy for as long, mcpreel writes in the background. */
export const SLOW_WRITE_MS = 50;

/** Measures for how long another process and this one were ready but not running. */
export class Strain {
  #id;
  #waitedBefore;
  #waited = 0;
  #late = 0;
  #lookedAt = performance.now();
  #timer;

  constructor(id) {
    this.#id = id;
    this.#waitedBefore = waitedMs(id);
    this.#timer = setInterval(() => {
      this.#late += this.#lateness();
      this.#lookedAt = performance.now();
    }, LOOK_EVERY_MS).unref();
  }

  /** In ms, since the beginning. */
  get ms() {
    // For a process that is gone, the last value counts.
    this.#waited = Math.max(this.#waited, waitedMs(this.#id) - this.#waitedBefore);
    return this.#waited + this.#late + this.#lateness();
  }

  stop() {
    clearInterval(this.#timer);
  }

  #lateness() {
    return Math.max(0, performance.now() - this.#lookedAt - LOOK_EVERY_MS);
  }
}

/** How long the main thread of a process has waited for a processor; 0 where the system does not report it. */
function waitedMs(id) {
  try {
    return Number(readFileSync(`/proc/${id}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
