import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/threat-model.md', root), 'utf8');

/** The cells of all table rows, without the column that describes the attack. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | ').slice(1));

function namesIn(cells: readonly string[]): string[] {
  return cells.flatMap((cell) => [...cell.matchAll(/`([\w/-]+)`/g)].map(([, name = '']) => name));
}

function isTest(name: string): boolean {
  const path = name.startsWith('src/') ? name : `test/${name}`;
  return existsSync(new URL(`${path}.test.ts`, root));
}

describe('The threat model', () => {
  it('names only tests that exist', () => {
    const named = rows.flatMap((cells) => namesIn(cells.length > 2 ? cells : cells.slice(1)));
    expect(named.length).toBeGreaterThan(70);
    expect(named.filter((name) => !isTest(name))).toEqual([]);
  });

  it('has an answer to every threat for every surface', () => {
    const [head, ...surfaces] = rows.filter((cells) => cells.length === 4);
    expect(head).toHaveLength(4);
    expect(surfaces).toHaveLength(9);
    for (const cells of surfaces) {
      expect(cells.filter((cell) => cell.trim() === '')).toEqual([]);
      expect(namesIn(cells).length).toBeGreaterThan(2);
    }
  });
});
