/** Costs of what a search does, in units of about a microsecond. */
export const COST = { name: 0.4, shape: 0.15, look: 2.5, finding: 8 } as const;

/** What any message may cost. */
const BASE = 45_000;
/** What each character of a message may cost, apart from that. Plain text takes less, and source code too. */
const PER_CHARACTER = 1 / 384;

/** What follows a place that took long is judged again after this much. */
const DEEPEST_DEBT = -500;

/**
 * How much work a message may cause. It grows with the size of the message. Text that looks like secrets everywhere takes
 * long to judge and to redact piece by piece. While the budget is spent, such places are removed together with what is
 * around them.
 */
export class WorkBudget {
  #left = BASE;

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  spend(cost: number): void {
    this.#left = Math.max(this.#left - cost, DEEPEST_DEBT);
  }

  /** Adds what characters may cost that have been read. */
  advance(characters: number): void {
    this.#left += characters * PER_CHARACTER;
  }
}
