import { describe, expect, it } from 'vitest';
import { message, response } from '../../../test/contract/factories.ts';
import { FilterMemory } from './filter-memory.ts';
import type { FilterCall } from './filter-subject.ts';

const call = (name: string) =>
  message({ proxyId: name, text: `{"id":1,"method":"tools/call","params":{"name":"${name}"}}` });
const answer = (to: string) => response({ correlatedId: to });

/** A memory of the calls of one tool. */
function memoryOf(tool: string, needsCalls = true): FilterMemory {
  return new FilterMemory({ needsCalls, names: ({ name }) => name === tool });
}

/** The memory's result for each of these messages, in order. */
function taken(memory: FilterMemory, ...messages: Parameters<FilterMemory['take']>[0][]): (FilterCall | undefined)[] {
  return messages.map((one) => memory.take(one));
}

describe('FilterMemory', () => {
  it('returns the call of a response once', () => {
    const a = { method: 'tools/call', name: 'a' };
    expect(taken(memoryOf('a'), call('a'), answer('a'), answer('a'))).toEqual([a, a, undefined]);
  });

  it('forgets calls that the filter does not name', () => {
    expect(taken(memoryOf('a'), call('b'), answer('b'))).toEqual([{ method: 'tools/call', name: 'b' }, undefined]);
  });

  it('remembers nothing for a filter that does not need calls', () => {
    expect(taken(memoryOf('a', false), call('a'), answer('a'))).toEqual([undefined, undefined]);
  });

  it('does not treat a notification as a call', () => {
    expect(taken(memoryOf('a'), message({ text: '{"method":"x"}' }))).toEqual([undefined]);
  });
});
