import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);

it('The threat model names tests that there are', () => {
  const page = readFileSync(new URL('docs/threat-model.md', root), 'utf8');
  const cells = page.split('\n').flatMap((line) => line.split(' | ').slice(2));
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([\w/-]+)`/g)].map(([, name = '']) => name));
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter((name) => {
    const path = name.startsWith('src/') ? name : `test/${name}`;
    return !existsSync(new URL(`${path}.test.ts`, root));
  });
  expect(missing).toEqual([]);
});
