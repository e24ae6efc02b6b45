import { describe, expect, it } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { compareRuns } from '../conformance/equality.mjs';

/** Where the suite is missing it is installed first. */
const RUNS_MS = 300_000;

describe('the official conformance suite', () => {
  it.each([
    ['2025-11-25', 31],
    ['2026-07-28', 49],
  ] as const)(
    'says of %s the same of a server and of its recording',
    { timeout: RUNS_MS },
    async (revision, scenarios) => {
      const { direct, proxied, differences, faults } = await compareRuns({ revision, proxy: 'mock' });
      expect({ differences, faults }).toEqual({ differences: [], faults: [] });
      expect([direct.scenarios, proxied.scenarios]).toEqual([scenarios, scenarios]);
      expect(direct.passed).toBeGreaterThan(scenarios);
    },
  );
});
