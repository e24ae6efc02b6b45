import { describe, expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { notLinux, unless } from '../support/unless.ts';
// biome-ignore-start lint/correctness/useImportExtensions: their declarations are beside them, not in them
import { SCENARIOS } from './scenarios.mjs';
import { randomFrom } from './support/random.mjs';

// biome-ignore-end lint/correctness/useImportExtensions: as above

/** The scenarios that no other test covers; the others run with `npm run torture`. */
const HERE = ['kill', 'slow-disk', 'half-closes', 'resets', 'clock-jumps', 'many-conversations', 'stderr-flood'];

describe('torture scenarios at the smallest size', unless(notLinux), () => {
  const scenarios = SCENARIOS.filter(({ name }) => HERE.includes(name)).map(
    (scenario) => [scenario.injects, scenario] as const,
  );

  it.each(scenarios)('loses no message: %s', { timeout: 60_000 }, async (_, { run, sizes }) => {
    const { held, ...outcome } = await run({
      sizes: sizes.least,
      folder: new Place().folder,
      random: randomFrom(9),
      note: () => undefined,
    });
    expect(outcome).toMatchObject({ faults: [], lost: 0, ok: true });
    expect(held).not.toEqual([]);
  });
});
