import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallTable, type ComparedCall } from './call-table.ts';

function compared(parts: Partial<ComparedCall>): ComparedCall {
  const { start = 0 } = parts;
  return {
    key: start * 2 ** 32 + 1,
    digest: 2 ** 53 - 1,
    direction: 'client_to_server',
    method: 'tools/call',
    name: undefined,
    conversation: 0,
    start,
    end: start + 1,
    answers: [start + 1],
    isCancelled: false,
    ...parts,
  };
}

describe('CallTable', () => {
  it('returns every call unchanged, in request order', () => {
    const call = fc
      .record({
        name: fc.option(fc.string(), { nil: undefined }),
        direction: fc.constantFrom('client_to_server' as const, 'server_to_client' as const),
        conversation: fc.nat(3),
        ending: fc.constantFrom<Partial<ComparedCall>>(
          {},
          { end: Infinity, answers: [] },
          { end: 9, answers: [5, 9] },
          { end: Infinity, answers: [5] },
        ),
        isCancelled: fc.boolean(),
      })
      .map(({ ending, ...parts }) => ({ ...parts, ...ending }));
    fc.assert(
      fc.property(fc.array(call, { maxLength: 20 }), (parts) => {
        const calls = parts.map((part, start) => compared({ start, ...part }));
        const table = new CallTable();
        for (const one of calls.toReversed()) table.add(one);
        table.sort();
        expect(calls.map((_, place) => table.at(place))).toEqual(calls);
        expect([...table.keys()]).toEqual(calls.map(({ key }) => key));
      }),
    );
  });

  it('grows to hold 5000 calls', () => {
    const table = new CallTable();
    for (let start = 4999; start >= 0; start--) table.add(compared({ start, digest: start }));
    table.sort();
    expect(table.length).toBe(5000);
    expect(table.digestAt(4321)).toBe(4321);
    expect(() => table.at(5000)).toThrow(RangeError);
  });
});
