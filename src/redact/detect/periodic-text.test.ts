import { describe, expect, it } from 'vitest';
import { endOfRepetition } from './periodic-text.ts';
import { mayHoldSecret } from './secret-gate.ts';
import { findSecrets } from './secret-scan.ts';

const HOSTILE = [
  'key=',
  '&token=a',
  'password:',
  'API_KEY=abc\n',
  '<password>',
  "secret: 'a ",
  '| token ',
  'ghp_',
  'é token=',
];
const SECRET = '\nDB_PASSWORD=hunter2x9\n';

describe('text that repeats a part of itself', () => {
  it.each(HOSTILE)('finds secrets before, between and after text that repeats the piece %j', (piece) => {
    const part = piece.repeat(Math.ceil(70_000 / piece.length));
    const text = SECRET + part + SECRET + part + SECRET;
    const found = findSecrets(text);
    const places = [...text.matchAll(/hunter2x9/g)].map(({ index }) => index);
    expect(places.filter((at) => !found.some(({ start, end }) => start <= at && end >= at + 9))).toEqual([]);
    expect(mayHoldSecret(JSON.stringify(part + SECRET))).toBe(true);
  });

  it.each([
    ['ab'.repeat(3000), 0, 5000, 6000],
    [`${'abc'.repeat(2000)}x`, 0, 3000, 6000],
    ['a'.repeat(9000), 100, 4000, 9000],
    [`${'abcdefghij'.repeat(50)}x${'abcdefghij'.repeat(50)}`, 0, 900, undefined],
    ['no part of this is repeated, or is it', 0, 30, undefined],
    ['short', 0, 5, undefined],
  ])('finds where a repeating text stops repeating', (text, start, end, expected) => {
    expect(endOfRepetition(text, start, end)).toBe(expected);
  });
});
