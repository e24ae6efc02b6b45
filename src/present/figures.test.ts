import { describe, expect, it } from 'vitest';
import {
  countOf,
  formatDuration,
  formatElapsed,
  formatElapsedShort,
  formatSize,
  listed,
  wholeSeconds,
} from './figures.ts';

describe('formatDuration', () => {
  it.each([
    [-5, '0 ms'],
    [0, '0 ms'],
    [0.01, '<0.1 ms'],
    [0.4, '0.4 ms'],
    [9.96, '10 ms'],
    [220.4, '220 ms'],
    [999.6, '1.00 s'],
    [2410, '2.41 s'],
    [9996, '10.0 s'],
    [31_000, '31.0 s'],
    [59_960, '1 min 0 s'],
    [61_000, '1 min 1 s'],
    [119_600, '2 min 0 s'],
    [3_599_700, '1 h 0 min'],
    [7_260_000, '2 h 1 min'],
    [86_399_000, '1 d 0 h'],
    [190_800_000, '2 d 5 h'],
    [22_420_000_000, '259 d'],
  ])('formats %d ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('formatSize', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1.0 MB'],
    [34_512_345, '34.5 MB'],
    [5_000_000_000_000_000, '5000.0 TB'],
  ])('formats %i bytes as %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });
});

describe('other figures', () => {
  it('formats the time since an event, in at most eight characters on request', () => {
    expect([formatElapsed(1204), formatElapsed(-100), formatElapsed(3_723_004)]).toEqual([
      '+1.204',
      '-0.100',
      '+3723.004',
    ]);
    expect([formatElapsedShort(1204), formatElapsedShort(-100), formatElapsedShort(3_723_004)]).toEqual([
      '+1.204',
      '+0.000',
      '+1:02:03',
    ]);
  });

  it('counts the seconds that have passed, and never returns a negative number', () => {
    expect([wholeSeconds(1999), wholeSeconds(-1)]).toEqual(['1 s', '0 s']);
  });

  it('formats a noun with its count, and a list', () => {
    expect([countOf(1, 'message'), countOf(0, 'message')]).toEqual(['1 message', '0 messages']);
    expect([listed([]), listed(['a']), listed(['a', 'b', 'c'])]).toEqual(['', 'a', 'a, b and c']);
  });
});
