import { inspect } from 'node:util';
import { mutate } from './mutate.ts';
import { Random, seedOf } from './random.ts';
import { Broken, type Target } from './target.ts';

/** What somebody needs in order to see a failure again. */
export interface Find {
  readonly input: Uint8Array;
  /** The same for every input that shows the same fault. */
  readonly fault: string;
  readonly detail: string;
}

/** Makes the inputs of a target: which one comes as number so much depends on the seed and nothing else. */
export class Inputs {
  readonly #seeds: readonly Uint8Array[];
  readonly #seed: number;

  constructor(target: Target, seed: number) {
    this.#seeds = target.seeds();
    this.#seed = seedOf(target.name, seed);
  }

  get seedCount(): number {
    return this.#seeds.length;
  }

  /** The first ones are the seeds themselves. */
  at(number: number): Uint8Array {
    const seed = this.#seeds[number];
    if (seed !== undefined) return seed;
    const random = new Random(this.#seed ^ Math.imul(number, 0x85ebca6b));
    return mutate(random.pick(this.#seeds), random, this.#seeds);
  }
}

/** What an input brings to light, if anything. */
export async function tryInput(target: Target, input: Uint8Array): Promise<Find | undefined> {
  try {
    await target.check(input);
    return undefined;
  } catch (error) {
    return { input, fault: faultOf(error), detail: error instanceof Error ? (error.stack ?? '') : inspect(error) };
  }
}

function faultOf(error: unknown): string {
  if (error instanceof Broken) return error.property;
  if (!(error instanceof Error)) return inspect(error);
  const where = /at (?:async )?([\w.#<> ]+)/.exec(error.stack ?? '')?.[1] ?? '';
  return `${error.name} in ${where.trim()}`;
}
