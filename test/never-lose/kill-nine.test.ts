import { expect, it } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { killMany } from '../stress/kill-nine.mjs';

it('keeps of a killed session all but what was in the air, thirty times', { timeout: 60_000 }, async () => {
  const { faults, kills, cutInATurn, inSeveralParts, savedMeanwhile, exported } = await killMany({
    kills: 30,
    seed: 9,
  });
  expect(faults).toEqual([]);
  expect({ kills, exported }).toEqual({ kills: 30, exported: 2 });
  // Otherwise it would not be worth much: some were cut at the worst moment, between passing on and recording.
  expect(cutInATurn).toBeGreaterThan(0);
  expect(inSeveralParts).toBeGreaterThan(0);
  expect(savedMeanwhile).toBeGreaterThan(0);
});
