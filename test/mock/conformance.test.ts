import { describe, expect, it } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { compareRuns } from '../conformance/equality.mjs';
import { inLongRuns } from '../support/long-run.ts';

/** Includes the time to install the suite if it is missing. */
const RUNS_MS = 300_000;

interface Selection {
  readonly revision: '2025-11-25' | '2026-07-28';
  readonly scenarios: number;
  readonly only?: string;
}

/**
 * The number of scenarios and their selection: all in long runs, otherwise one in which the server sends requests or
 * progress.
 */
const RUNS = inLongRuns<Selection>(
  [
    { revision: '2025-11-25', scenarios: 31 },
    { revision: '2026-07-28', scenarios: 49 },
  ],
  [
    { revision: '2025-11-25', scenarios: 1, only: 'tools-call-with-progress' },
    { revision: '2026-07-28', scenarios: 1, only: 'input-required-result-multi-round' },
  ],
);

describe('the official conformance suite', () => {
  it.each(RUNS)(
    'gives the same results with $revision for a server and for its recording',
    { timeout: RUNS_MS },
    async ({ revision, scenarios, only }) => {
      const { direct, proxied, differences, faults } = await compareRuns({
        revision,
        proxy: 'mock',
        ...(only === undefined ? {} : { only }),
      });
      expect({ differences, faults }).toEqual({ differences: [], faults: [] });
      expect([direct.scenarios, proxied.scenarios]).toEqual([scenarios, scenarios]);
      expect(direct.passed).toBeGreaterThanOrEqual(scenarios);
    },
  );
});
