import { inspect } from 'node:util';
import { mutate } from './mutate.ts';
import { Random, seedOf } from './random.ts';
import { Broken, type Target } from './target.ts';

/** What is needed to reproduce a failure. */
export interface Find {
  readonly input: Uint8Array;
  /** Equal for all inputs with the same fault. */
  readonly fault: string;
  readonly detail: string;
}

/** Generates the inputs of a target; input number n depends only on the seed. */
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

  /** The first inputs are the seeds themselves. */
  at(number: number): Uint8Array {
    const seed = this.#seeds[number];
    if (seed !== undefined) return seed;
    const random = new Random(this.#seed ^ Math.imul(number, 0x85ebca6b));
    return mutate(random.pick(this.#seeds), random, this.#seeds);
  }
}

/** Runs a target on an input and returns the fault it shows, if any. */
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
