import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { type Find, Inputs, tryInput } from './engine.ts';
import { minimise } from './minimise.ts';
import { findsOf } from './seeds.ts';
import { Broken, type Target } from './target.ts';
import { targets } from './targets.ts';

/** A fixed seed, so that every run tries the same inputs; `npm run fuzz` tries others. */
const SEED = 20_261_116;

/** How many seconds' worth of inputs each target tries in the normal test run. */
const SECONDS = 0.2;

/** Expects an input to show no fault. */
async function expectSound(target: Target, input: Uint8Array): Promise<void> {
  const find = await tryInput(target, input);
  if (find !== undefined)
    expect.fail(`${find.detail}\n\nInput: ${JSON.stringify(Buffer.from(input).toString('latin1'))}`);
}

describe.each(targets)('$name', (target) => {
  afterAll(() => target.close?.());

  it('handles every input that failed before', async () => {
    for (const { input } of findsOf(target.name)) await expectSound(target, input);
  });

  it('keeps its invariants for any input', async () => {
    const inputs = new Inputs(target, SEED);
    const count = Math.ceil(target.perSecond * SECONDS);
    for (let number = 0; number < count; number++) await expectSound(target, inputs.at(inputs.seedCount + number));
  });
});

describe('the corpus of failing inputs', () => {
  it('every folder of failing inputs belongs to an existing target', () => {
    const folders = readdirSync(new URL('../corpus/fuzz/', import.meta.url));
    expect(targets.map(({ name }) => name)).toEqual(expect.arrayContaining(folders));
  });
});

describe('the fuzzer', () => {
  const fragile: Target = {
    name: 'fragile',
    perSecond: 1,
    seeds: () => [new TextEncoder().encode('{"a":[1,2,3],"b":"text"}')],
    check: (input) => {
      const text = new TextDecoder().decode(input);
      if (text.includes('__proto__')) throw new Broken('no prototypes', text);
    },
  };

  async function firstFind(seed: number): Promise<Find> {
    const inputs = new Inputs(fragile, seed);
    for (let number = 0; number < 5000; number++) {
      const find = await tryInput(fragile, inputs.at(number));
      if (find !== undefined) return find;
    }
    throw new Error('Nothing was found');
  }

  it('finds a fault, and the same one every time for the same seed', async () => {
    const find = await firstFind(7);
    expect(find.fault).toBe('no prototypes');
    expect((await firstFind(7)).input).toEqual(find.input);
  });

  it('reduces an input to the part that triggers the fault', async () => {
    const { input, fault } = await firstFind(7);
    const smallest = await minimise(
      input,
      async (smaller) => (await tryInput(fragile, smaller))?.fault === fault,
      1000,
    );
    expect(new TextDecoder().decode(smallest)).toBe('__proto__');
  });
});
