import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatSessionTime, formatTraceTime, LATEST_MS, parseTime, parseTraceTime } from './times.ts';

const anyTime = fc.integer({ min: -LATEST_MS, max: LATEST_MS });

describe('times', () => {
  it('writes a time for traces in UTC, always with milliseconds', () => {
    expect(formatTraceTime(Date.UTC(2026, 2, 4, 10, 0, 1))).toBe('2026-03-04T10:00:01.000Z');
    expect(formatTraceTime(Date.UTC(2026, 2, 4, 10, 0, 1, 120))).toBe('2026-03-04T10:00:01.120Z');
  });

  it('writes a time for session files with an offset, and a fraction only if there is one', () => {
    expect(formatSessionTime(Date.UTC(2026, 2, 4, 10, 0, 1))).toBe('2026-03-04T10:00:01+00:00');
    expect(formatSessionTime(Date.UTC(2026, 2, 4, 10, 0, 1, 120))).toBe('2026-03-04T10:00:01.120+00:00');
  });

  it.each([
    ['2026-03-04T10:00:01Z', '10:00:01.000'],
    ['2026-03-04t10:00:01z', '10:00:01.000'],
    ['2026-03-04T10:00:01+00:00', '10:00:01.000'],
    ['2026-03-04 10:00:01', '10:00:01.000'],
    ['2026-03-04T10:00:01.5Z', '10:00:01.500'],
    ['2026-03-04T10:00:01,25Z', '10:00:01.250'],
    ['2026-03-04T10:00:01.123456+00:00', '10:00:01.123'],
    ['2026-03-04T10:00:01.999999999Z', '10:00:01.999'],
    ['2026-03-04T12:30:01+02:30', '10:00:01.000'],
    ['2026-03-04T05:00:01-0500', '10:00:01.000'],
    ['2026-03-04T11:00:01+01', '10:00:01.000'],
  ])('parses %s', (text, timeOfDay) => {
    expect(parseTime(text)).toBe(Date.parse(`2026-03-04T${timeOfDay}Z`));
  });

  it.each([
    '',
    'soon',
    '2026-03-04',
    '10:00:01',
    '2026-13-04T10:00:01Z',
    '2026-03-04T10:00:60Z',
    '1772618401',
    '-000000-01-01T00:00:00Z',
  ])('rejects "%s" as a time', (text) => {
    expect(parseTime(text)).toBeUndefined();
  });

  it('parses every time that it writes, including before year 0 and after 9999', () => {
    fc.assert(
      fc.property(anyTime, (ms) => {
        expect(parseTime(formatTraceTime(ms))).toBe(ms);
        expect(parseTime(formatSessionTime(ms))).toBe(ms);
      }),
    );
  });

  it('parses only the time format of traces, which is rewritten unchanged', () => {
    expect(parseTraceTime('2026-03-31T23:59:59.999Z')).toBe(Date.UTC(2026, 2, 31, 23, 59, 59, 999));
    for (const text of [
      '2026-03-04T10:00:01Z',
      '2026-02-30T10:00:01.000Z',
      '2026-03-04T24:00:00.000Z',
      '2026-03-04T10:61:00.000Z',
      'soon',
      '',
    ]) {
      expect(parseTraceTime(text)).toBeUndefined();
    }
    fc.assert(
      fc.property(anyTime, (ms) => {
        expect(parseTraceTime(formatTraceTime(ms))).toBe(ms);
      }),
    );
  });
});
