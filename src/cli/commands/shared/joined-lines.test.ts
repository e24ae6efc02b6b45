import { expect, it } from 'vitest';
import { joinedLines } from './joined-lines.ts';

it('joins lines into chunks of about 64 kB, without changing the text', () => {
  const lines = Array.from({ length: 10_000 }, (_, n) => `line ${n} ${'x'.repeat(n % 90)}\n`);
  const chunks = [...joinedLines(lines)];
  expect(chunks.join('')).toBe(lines.join(''));
  expect(chunks.length).toBeLessThan(12);
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan((1 << 16) + 100);
  expect([...joinedLines([])]).toEqual([]);
});
