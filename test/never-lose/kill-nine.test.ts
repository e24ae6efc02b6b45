import { expect, it } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { killMany } from '../stress/kill-nine.mjs';

it('keeps of a killed session all but what was in the air, thirty times', { timeout: 60_000 }, async () => {
  const { faults, kills, inSeveralParts, exported } = await killMany({
    kills: 30,
    seed: 9,
  });
  expect(faults).toEqual([]);
  expect({ kills, exported }).toEqual({ kills: 30, exported: 2 });
  expect(inSeveralParts).toBeGreaterThan(0);
});
