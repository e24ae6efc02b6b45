/** The claims about a scenario, and whether they held. */
export class Judgement {
  #held = new Set();
  #faults = [];
  #lost = 0;

  /** Records a claim, which may be made many times; it holds only if it was true every time. */
  claim(what, isTrue, detail = '') {
    this.#held.add(what);
    if (!isTrue) this.#faults.push({ what, detail });
  }

  /** Counts forwarded messages that are neither recorded nor covered by a gap. */
  lose(count) {
    this.#lost += count;
  }

  /** Adds the result of comparing a recording with the forwarded messages. */
  compared(what, { faults, missing }) {
    this.claim(what, faults.length === 0, faults[0]);
    this.lose(missing);
  }

  get lost() {
    return this.#lost;
  }

  /** The result of a scenario. */
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

/** The result of a scenario that cannot run here. */
export function skipped(why) {
  return { injected: '', held: [], faults: [], lost: 0, ok: true, skipped: why };
}
