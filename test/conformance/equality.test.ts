import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inLongRuns } from '../support/long-run.ts';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { compareRuns } from './equality.mjs';

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
    { revision: '2025-11-25', scenarios: 33 },
    { revision: '2026-07-28', scenarios: 50 },
  ],
  [
    { revision: '2025-11-25', scenarios: 1, only: 'tools-call-with-progress' },
    { revision: '2026-07-28', scenarios: 1, only: 'input-required-result-multi-round' },
  ],
);

describe('the official conformance suite', () => {
  it.each(RUNS)(
    'the suite reports the same for $revision directly and through mcpreel',
    { timeout: RUNS_MS },
    async ({ revision, scenarios, only }) => {
      const { direct, proxied, differences, faults } = await compareRuns(
        only === undefined ? { revision } : { revision, only },
      );
      expect({ differences, faults }).toEqual({ differences: [], faults: [] });
      expect([direct.scenarios, proxied.scenarios]).toEqual([scenarios, scenarios]);
      expect(proxied.messages).toBeGreaterThan(direct.checks);
    },
  );

  it('does not change which Node binary scripts use', () => {
    expect(process.env.PATH).not.toContain('test/peers');
    expect(existsSync(new URL('../../node_modules/.bin/node', import.meta.url))).toBe(false);
  });
});
