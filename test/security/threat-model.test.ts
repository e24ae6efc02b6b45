import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/threat-model.md', root), 'utf8');

/** The cells of all rows: position, attack, defense, tests. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| position'))
  .map((line) => line.slice(2, -2).split(' | '));

function testsIn(cell: string): string[] {
  return [...cell.matchAll(/`([\w/-]+)`/g)].map(([, name = '']) => name);
}

function isTest(name: string): boolean {
  const path = name.startsWith('src/') ? name : `test/${name}`;
  return existsSync(new URL(`${path}.test.ts`, root));
}

/** Tests of the pages themselves. */
const PAGES: ReadonlySet<string> = new Set(['security/threat-model', 'security/security-page']);

describe('The threat model', () => {
  it('has a position, an attack, a defense and a test in every row, or says that there is no defense', () => {
    expect(rows.length).toBeGreaterThan(40);
    for (const cells of rows) {
      expect(cells).toHaveLength(4);
      const [, , defense = '', tests = ''] = cells;
      if (!defense.includes('**Not defended')) expect([defense, testsIn(tests).length]).not.toEqual([defense, 0]);
    }
  });

  it('names only tests that exist', () => {
    const named = rows.flatMap((cells) => testsIn(cells[3] ?? ''));
    expect(named.length).toBeGreaterThan(70);
    expect(named.filter((name) => !isTest(name))).toEqual([]);
  });

  it('names every test that attacks mcpreel', () => {
    const files = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' });
    const attacks = files.filter((name) => name.endsWith('.test.ts')).map((name) => `security/${name.slice(0, -8)}`);
    const named = new Set(rows.flatMap((cells) => testsIn(cells[3] ?? '')));
    expect(attacks.filter((name) => !named.has(name) && !PAGES.has(name))).toEqual([]);
  });
});
