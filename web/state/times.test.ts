import { describe, expect, it } from 'vitest';
import { counted, formatTime } from './times.ts';

describe('times and counts on the page', () => {
  it('formats times relative to the start or to the previous row', () => {
    expect(formatTime(1500, 'relative', 1000, 1400)).toBe('+0.500');
    expect(formatTime(1500, 'delta', 1000, 1600)).toBe('-0.100');
  });

  it('groups the digits of counts', () => {
    expect([counted(1, 'message'), counted(1200, 'message'), counted(2, 'entry', 'entries')]).toEqual([
      '1 message',
      '1,200 messages',
      '2 entries',
    ]);
  });
});
