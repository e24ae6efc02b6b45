/** What was claimed of a scenario, and whether it held. */
export class Judgement {
  #held = new Set();
  #faults = [];
  #lost = 0;

  /** Notes a claim that may be made many times; it is held only if it was right every time. */
  claim(what, isTrue, detail = '') {
    this.#held.add(what);
    if (!isTrue) this.#faults.push({ what, detail });
  }

  /** Counts messages that passed and are neither recorded nor said to be missing. */
  lose(count) {
    this.#lost += count;
  }

  /** Notes what a comparison of a recording with what passed has found. */
  compared(what, { faults, missing }) {
    this.claim(what, faults.length === 0, faults[0]);
    this.lose(missing);
  }

  get lost() {
    return this.#lost;
  }

  /** What a scenario returns. */
  outcome(injected, more = {}) {
    const broken = new Set(this.#faults.map(({ what }) => what));
    const faults = this.#faults.map(({ what, detail }) => `not held: ${what}${detail === '' ? '' : ` (${detail})`}`);
    if (this.#lost > 0) faults.push(`${this.#lost} messages are lost`);
    return {
      injected,
      held: [...this.#held].filter((what) => !broken.has(what)),
      faults,
      lost: this.#lost,
      ok: faults.length === 0,
      ...more,
    };
  }
}

/** What a scenario returns that cannot be run here. */
export function skipped(why) {
  return { injected: '', held: [], faults: [], lost: 0, ok: true, skipped: why };
}
