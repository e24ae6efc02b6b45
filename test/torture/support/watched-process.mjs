import { existsSync, readFileSync } from 'node:fs';
import { handlesOf, memoryOf } from './reel.mjs';
import { thirds } from './samples.mjs';

/** A process whose memory, handles and event loop are monitored over a long time. */
export class WatchedProcess {
  name;
  #id;
  #delayFile;
  #memory = [];
  #handles = [];
  #fewest = Number.POSITIVE_INFINITY;

  constructor(name, id, delayFile) {
    this.name = name;
    this.#id = id;
    this.#delayFile = delayFile;
  }

  look() {
    this.#memory.push(memoryOf(this.#id));
    this.#fewest = Math.min(this.#fewest, handlesOf(this.#id));
  }

  /** Keeps the minimum number of handles in a round; this minimum must not grow. */
  endRound() {
    this.#handles.push(this.#fewest);
    this.#fewest = Number.POSITIVE_INFINITY;
  }

  get samples() {
    const delays = existsSync(this.#delayFile)
      ? readFileSync(this.#delayFile, 'utf8').trim().split('\n').map(Number)
      : [];
    return { memory: this.#memory, handles: this.#handles, delays };
  }
}

/** The engine takes and returns this much memory as it sizes its heap, without a leak. */
const SWING_BYTES = 16 << 20;

/**
 * Checks that a process stays stable: compares its memory, handles and event loop delay in the last third of the time
 * with the second third. Delays that an idle process also has are caused by the machine.
 */
export function judgeSamples({ memory, handles, delays }, idleDelays, { growth, jitterMs = 5 }) {
  const [memoryBefore, memoryAfter] = thirds(memory);
  const [handlesBefore, handlesAfter] = thirds(handles);
  const [delayBefore, delayAfter] = thirds(delays);
  const [idleBefore, idleAfter] = thirds(idleDelays);
  const busier = Math.max(1, (idleAfter + 1) / (idleBefore + 1));
  const wrong = [];
  if (memoryAfter > memoryBefore + Math.max(memoryBefore * growth, SWING_BYTES)) wrong.push('memory grows');
  if (handlesAfter > handlesBefore) wrong.push('handles grow');
  if (delayAfter > (delayBefore * 1.5 + jitterMs) * busier) wrong.push('delay grows');
  return {
    wrong,
    figures: {
      memoryMegabytes: [memoryBefore, memoryAfter].map((bytes) => Math.round(bytes / 1e5) / 10),
      handles: [handlesBefore, handlesAfter],
      delayP99Ms: [delayBefore, delayAfter],
      idleDelayP99Ms: [idleBefore, idleAfter],
    },
  };
}
