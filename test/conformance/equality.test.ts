import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { compareRuns } from './equality.mjs';

/** Where the suite is missing it is installed first. */
const RUNS_MS = 300_000;

describe('the official conformance suite', () => {
  it.each([
    ['2025-11-25', 33],
    ['2026-07-28', 50],
  ] as const)('says of %s the same directly and through mcpreel', { timeout: RUNS_MS }, async (revision, scenarios) => {
    const { direct, proxied, differences, faults } = await compareRuns({ revision });
    expect({ differences, faults }).toEqual({ differences: [], faults: [] });
    expect([direct.scenarios, proxied.scenarios]).toEqual([scenarios, scenarios]);
    expect(proxied.messages).toBeGreaterThan(direct.checks);
  });

  it('leaves scripts the Node of whoever calls them', () => {
    expect(process.env.PATH).not.toContain('test/peers');
    expect(existsSync(new URL('../../node_modules/.bin/node', import.meta.url))).toBe(false);
  });
});
