import { expect, it } from 'vitest';
import { inOneLine, ReelError } from './errors.ts';

it.each([
  ['No such file: a.json', undefined, 'No such file: a.json'],
  ['A parenthesis is not closed (column 1)', 'Close it.', 'A parenthesis is not closed (column 1). Close it.'],
  ['Is it meant?', 'Confirm it.', 'Is it meant? Confirm it.'],
  ['Cannot read /tmp/é', 'Name another.', 'Cannot read /tmp/é. Name another.'],
  ['It broke:\n  here', 'Mend\nit.', 'It broke: here. Mend it.'],
])('formats an error and its hint on one line: %s', (message, hint, expected) => {
  expect(inOneLine(new ReelError('usage', message, hint === undefined ? {} : { hint }))).toBe(expected);
});

it('formats any other error as its own message', () => {
  expect(inOneLine(new TypeError('no function'))).toBe('no function');
  expect(inOneLine('left')).toBe('left');
});
