import { describe, expect, it } from 'vitest';
import { bytesText, durationText } from './sessions-facts.ts';

describe('bytesText', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1.0 MB'],
    [34_512_345, '34.5 MB'],
    [5_000_000_000_000_000, '5000.0 TB'],
  ])('formats %i bytes as %s', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });
});

describe('durationText', () => {
  it.each([
    [0, '0.0 s'],
    [9949, '9.9 s'],
    [9950, '10 s'],
    [119_400, '119 s'],
    [120_000, '2 min'],
    [7_200_000, '2.0 h'],
    [172_800_000, '2 d'],
  ])('formats %i ms as %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
