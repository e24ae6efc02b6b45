import { describe, expect, it } from 'vitest';
import { numberText } from '../../src/model/message-number.ts';
import { counted, formatDuration, formatOffset, formatSize, formatTime } from './times.ts';

describe('time and size formatting', () => {
  it.each([
    [0, '0 ms'],
    [0.4, '<1 ms'],
    [220.4, '220 ms'],
    [2410, '2.41 s'],
    [31_000, '31.0 s'],
    [60_000, '1 min 0 s'],
    [119_600, '2 min 0 s'],
    [3_599_700, '1 h 0 min'],
    [7_260_000, '2 h 1 min'],
  ])('formats a duration of %d ms as %s', (ms, sent) => {
    expect(formatDuration(ms)).toBe(sent);
  });

  it.each([
    [0, '+0.000 s'],
    [120, '+0.120 s'],
    [-1500, '-1.50 s'],
    [31_000, '+31.0 s'],
  ])('formats an offset of %d ms as %s', (ms, sent) => {
    expect(formatOffset(ms)).toBe(sent);
  });

  it('formats times relative to the start or to the previous row', () => {
    expect(formatTime(1500, 'relative', 1000, 1400)).toBe('+0.500');
    expect(formatTime(1500, 'delta', 1000, 1600)).toBe('-0.100');
  });

  it('formats sizes, counts and message numbers', () => {
    expect([formatSize(999), formatSize(2100), formatSize(5_000_000)]).toEqual(['999 B', '2.1 kB', '5.0 MB']);
    expect([counted(1, 'message'), counted(1200, 'message'), counted(2, 'entry', 'entries')]).toEqual([
      '1 message',
      '1,200 messages',
      '2 entries',
    ]);
    expect([numberText(3), numberText(1234)]).toEqual(['#003', '#1234']);
  });
});
