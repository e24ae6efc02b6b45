import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { declared } from './declared.ts';

const page = readFileSync(new URL('../../docs/transparency.md', import.meta.url), 'utf8');

it('docs/transparency.md lists exactly the differences that are allowed over HTTP', () => {
  const [, , ...rows] = page.split('\n').filter((line) => line.startsWith('|'));
  expect(rows.map((row) => row.split(' | ')[0]?.slice(2))).toEqual(declared.map(({ what }) => what));
});
