import { median } from './measure.mjs';

/** Measured values of each contestant, by round. */
export class Figure {
  #values = {};

  add(name, value) {
    this.#values[name] ??= [];
    this.#values[name].push(value);
  }

  median(name) {
    return median(this.#values[name]);
  }

  most(name) {
    return Math.max(...this.#values[name]);
  }

  /** The median over the rounds of the ratio to the baseline in the same round. */
  ratiosTo(baseline) {
    return this.#map((values) => median(values.map((value, round) => value / this.#values[baseline][round])));
  }

  /** The same ratio for the cost added to `bare`. */
  addedRatiosTo(baseline, bare) {
    return this.#map((values) => {
      const added = (name, round) => this.#values[name][round] - this.#values[bare][round];
      return median(values.map((value, round) => (value - this.#values[bare][round]) / added(baseline, round)));
    });
  }

  sums() {
    return this.#map((values) => values.reduce((total, value) => total + value, 0));
  }

  #map(change) {
    return Object.fromEntries(Object.entries(this.#values).map(([name, values]) => [name, change(values)]));
  }
}

/** Runs the contestants in turn. Every other round is reversed, so that none always follows the same neighbor. */
export async function interleave(contestants, rounds, work) {
  for (let round = 0; round < rounds; round++) {
    const order = Object.entries(contestants);
    if (round % 2 === 1) order.reverse();
    for (const [name, contestant] of order) {
      try {
        await work(name, contestant);
      } catch (error) {
        if (!contestant.mayFail) throw error;
        console.log(`Without ${name}, which failed: ${tellingLine(error.message)}`);
        delete contestants[name];
      }
    }
  }
}

/** The line of a failed program's output that best explains the failure. */
function tellingLine(text) {
  const lines = text.split('\n');
  return lines.find((line) => /error/i.test(line)) ?? lines[0];
}
