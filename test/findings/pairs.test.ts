import { describe, expect, it } from 'vitest';
import { FINDERS } from '../../src/analysis/findings/finders.ts';
import { FINDING_KINDS, type Finding, type FindingCode } from '../../src/analysis/findings/finding.ts';
import { findingsIn } from '../../src/analysis/findings/session-findings.ts';
import type { Sample } from './pair.ts';
import { PAIRS } from './pairs.ts';

const codes = Object.keys(FINDING_KINDS) as FindingCode[];

async function findingsOf({ session, options }: Sample): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of findingsIn(session, options)) findings.push(finding);
  return findings;
}

describe.each(codes)('%s', (code) => {
  const { shows, hides } = PAIRS[code];

  it('has a session that triggers the finding and one that must not', () => {
    expect(shows.length).toBeGreaterThan(0);
    expect(hides.length).toBeGreaterThan(0);
  });

  it.each(shows)('the finding is reported once: $title', async ({ says, at, ...sample }) => {
    const found = (await findingsOf(sample)).filter((finding) => finding.code === code);
    expect(found).toEqual([expect.objectContaining({ message: expect.stringMatching(says) })]);
    const [finding] = found;
    expect(finding).toMatchObject({ severity: FINDING_KINDS[code].severity });
    expect(finding?.spec).toBe(FINDING_KINDS[code].spec);
    expect(finding?.message).toMatch(/^\S[^\n]*\.$/);
    if (at !== undefined) expect(finding?.sequences).toEqual(at);
    expect((finding?.sequences.length ?? 0) > 0).toBe(finding?.at === undefined);
  });

  it.each(hides)('the finding is not reported: $title', async (sample) => {
    expect((await findingsOf(sample)).filter((finding) => finding.code === code)).toEqual([]);
  });
});

describe('the finders', () => {
  it('every code is reported by exactly one finder', () => {
    expect(FINDERS.flatMap((finder) => finder.codes).sort()).toEqual([...codes].sort());
  });
});
