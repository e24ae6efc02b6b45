import { existsSync, readFileSync } from 'node:fs';
import { handlesOf, memoryOf } from './reel.mjs';
import { thirds } from './samples.mjs';

/** A process whose memory, handles and event loop are watched over a long time. */
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

  /** Between its ups and downs a process has its fewest handles: those are what may not become more. */
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

/** So much the engine takes and gives back as it sizes its heap, without anything being kept. */
const SWING_BYTES = 16 << 20;

/**
 * What is wrong with a process that is to stay as it is: its memory, handles and the delay of its event loop in the last third of the time beside
 * those of the second third. What a process that does nothing has to wait as well is the machine's doing.
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
