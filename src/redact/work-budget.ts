/** Costs of what a search does, in units of about five microseconds. */
export const COST = { name: 0.4, look: 1, finding: 6 } as const;

/**
 * How much work a message may cause. Text that looks like secrets everywhere takes long to judge and to redact piece by
 * piece. When the budget is spent, the rest of a string or a container counts as one secret.
 */
export class WorkBudget {
  #left = 36_000;

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  spend(cost: number): void {
    this.#left -= cost;
  }
}
