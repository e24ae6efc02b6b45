import { median } from './measure.mjs';

/** What was measured of each contestant, round by round. */
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

  /** The same for what is added to another. */
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

/** Every other round goes backwards, so that nobody always follows the same neighbour. */
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

/** Of what a program printed before it ended. */
function tellingLine(text) {
  const lines = text.split('\n');
  return lines.find((line) => /error/i.test(line)) ?? lines[0];
}
