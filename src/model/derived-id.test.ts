import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageIdsOf, uuidFromText } from './derived-id.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const anyUnit = fc.nat(0xffff).map((unit) => String.fromCharCode(unit));

describe('uuidFromText', () => {
  it('returns the same UUID for the same text in every release', () => {
    expect(uuidFromText('')).toBe(uuidFromText(''));
    expect(uuidFromText('{"v":1,"type":"meta"}')).toBe('5b2c07f3-5f75-885b-9677-6e9b874d2f50');
  });

  it('returns a version 8 UUID', () => {
    fc.assert(fc.property(fc.string({ unit: anyUnit }), (text) => UUID.test(uuidFromText(text))));
  });

  it('returns different UUIDs for slightly different texts', () => {
    const texts = Array.from({ length: 5000 }, (_, n) => `{"id":${n}}`);
    expect(new Set(texts.map(uuidFromText)).size).toBe(texts.length);
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => (uuidFromText(a) === uuidFromText(b)) === (a === b)));
  });
});

describe('messageIdsOf', () => {
  it('puts the message number in the last digits of the session id', () => {
    const idOf = messageIdsOf('550E8400-e29b-41d4-a716-446655440000');
    expect([idOf(0), idOf(255)]).toEqual([
      '550E8400-e29b-41d4-a716-000000000000',
      '550E8400-e29b-41d4-a716-0000000000ff',
    ]);
  });

  it('derives UUIDs for a session whose id is not a UUID', () => {
    expect(messageIdsOf('my session')(3)).toBe(`${uuidFromText('my session').slice(0, 24)}000000000003`);
  });
});
