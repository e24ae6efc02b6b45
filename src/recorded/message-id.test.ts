import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idAt, withIdAt } from '../protocol/id-splice.ts';
import { idOf, withId } from './message-id.ts';

const id = fc.oneof(fc.nat(), fc.string(), fc.constantFrom(-1, 1.5, null, { id: 1 }, [1], 'id', '"id":1', ',"id":2'));
const member = fc.tuple(fc.constantFrom('id', 'jsonrpc', 'params', 'result', 'a"id'), fc.oneof(id, fc.constant('2.0')));

describe('the id of a message', () => {
  it('finds and replaces the id of a message as a full parse does, at any position', () => {
    const message = fc.tuple(fc.array(member, { maxLength: 5 }), fc.constantFrom('', ' ', '\n'));
    fc.assert(
      fc.property(message, fc.constantFrom('7', '"x"'), ([members, space], other) => {
        const written = members.map(([key, value]) => `${JSON.stringify(key)}:${space}${JSON.stringify(value)}`);
        const text = `{${written.join(',')}}`;
        expect(idOf(text)).toBe(idAt(text, 'id'));
        expect(withId(text, other)).toBe(withIdAt(text, 'id', other));
      }),
    );
  });

  it.each([
    ['{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":42,"result":{}}'],
    ['{"result":{"id":3},"jsonrpc":"2.0","id":"a-1"}', '{"result":{"id":3},"jsonrpc":"2.0","id":42}'],
    ['{"jsonrpc":"2.0","id":1,"result":{"id":3}}', '{"jsonrpc":"2.0","id":42,"result":{"id":3}}'],
    ['{"id":1}', '{"id":42}'],
    ['{"jsonrpc":"2.0","method":"x","params":{"id":3}}', '{"jsonrpc":"2.0","method":"x","params":{"id":3}}'],
  ])('replaces the id of a message in %s', (text, expected) => {
    expect(withId(text, '42')).toBe(expected);
  });
});
