import { describe, expect, it } from 'vitest';
import { argumentsIn, callTitle, statusCounts, statusWords } from './call-words.ts';
import { differenceCounts } from './figures.ts';
import { marksOf } from './glyphs.ts';

describe('descriptions of a call', () => {
  it('names a call by its method and its name', () => {
    expect(callTitle({ method: 'tools/call', name: 'search' })).toBe('tools/call search');
    expect(callTitle({ method: 'tools/list' })).toBe('tools/list');
  });

  it('returns the arguments of a call, or the params that its title does not contain', () => {
    expect(argumentsIn('{"name":"search","arguments":{"q":1.0}}')).toBe('{"q":1.0}');
    expect(argumentsIn('{"uri":"file:///a","cursor":"x"}')).toBe('{"cursor":"x"}');
    expect(argumentsIn('{"name":"search","_meta":{}}')).toBeUndefined();
    expect(argumentsIn(undefined)).toBeUndefined();
  });

  it('formats the duration of a call, and its status unless that is ok or error', () => {
    expect([statusWords('ok', 31), statusWords('error', 61_000)]).toEqual(['31 ms', '1 min 1 s']);
    expect([statusWords('late', 2410), statusWords('pending', undefined)]).toEqual(['late 2.41 s', 'pending']);
  });

  it('counts calls that are not ok', () => {
    const none = { ok: 5, error: 0, pending: 0, cancelled: 0, late: 0, stream: 0 };
    expect(statusCounts(none)).toEqual([]);
    expect(statusCounts({ ...none, error: 2, stream: 1 })).toEqual(['2 errors', '1 streaming']);
  });
});

describe('descriptions of differences and changes', () => {
  it('counts the differences of each kind', () => {
    const none = { contract: 0, breaking: 0, sequence: 0, values: 0 };
    expect(differenceCounts(none)).toEqual([]);
    expect(differenceCounts({ ...none, contract: 2, breaking: 1, values: 3 })).toEqual([
      '2 in the definitions (1 breaking)',
      '3 in values',
    ]);
  });

  it('describes what was done to a message, a drop first', () => {
    expect(marksOf({})).toEqual([]);
    expect(marksOf({ modified: true, dropped: true })).toEqual(['dropped', 'modified']);
  });
});
