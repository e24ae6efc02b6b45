import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectText } from '../../test/support/sample-texts.ts';
import { type IdPlace, idAt, withIdAt } from './id-splice.ts';

const SAMPLES: readonly (readonly [place: IdPlace, before: string, after: string])[] = [
  ['id', '{ "jsonrpc":"2.0", "id" : ', ',"method":"a","params":{"id":9,"n":1.0}}'],
  ['id', '{"result":{"id":9},"jsonrpc":"2.0","id":', '}\r\n'],
  ['wantedProgress', '{"id":1,"method":"a","params":{"progressToken":9,"_meta":{"progressToken":', '}}}'],
  ['reportedProgress', '{"method":"notifications/progress","params":{"progress":1.50,"progressToken":', '}}'],
  ['cancelled', '{"method":"notifications/cancelled","params":{"requestId":', ',"reason":"\\u00e9"}}'],
  ['notifiedSubscription', '{"method":"a","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":', '}}}'],
  ['answeredSubscription', '{"id":1,"result":{"_meta":{"io.modelcontextprotocol\\/subscriptionId":', '}}}'],
];
const IDS = ['0', '-1', '12345678901234567890', '1.0', '"a"', '"\\u00e9\\"\\/"', '"listen:0"'];

describe.each(SAMPLES)('the %s in %s…%s', (place, before, after) => {
  it('reads and replaces the id as it is spelled, and changes nothing else', () => {
    for (const id of IDS) {
      expect(idAt(before + id + after, place)).toBe(id);
      for (const other of IDS) expect(withIdAt(before + id + after, place, other)).toBe(before + other + after);
    }
  });

  it('does not read or replace a value that is not a string or number', () => {
    for (const value of ['null', 'true', '{}', '[1]']) {
      const text = before + value + after;
      expect(idAt(text, place)).toBeUndefined();
      expect(withIdAt(text, place, '7')).toBe(text);
    }
  });
});

describe('a message whose id is replaced', () => {
  it('does not add an id to a message that has none', () => {
    const text = '{"jsonrpc":"2.0","method":"a","params":{"_meta":{},"id":1}}';
    for (const [place] of SAMPLES) expect(withIdAt(text, place, '7')).toBe(text);
  });

  it('finds the id under an escaped key, and replaces the last of two', () => {
    expect(withIdAt('{"\\u0069d":1}', 'id', '2')).toBe('{"\\u0069d":2}');
    expect(withIdAt('{"id":1,"id":2}', 'id', '3')).toBe('{"id":1,"id":3}');
  });

  it('leaves invalid JSON unchanged', () => {
    expect(idAt('{"id":1', 'id')).toBeUndefined();
    expect(withIdAt('"id"', 'id', '1')).toBe('"id"');
  });

  it('restores the original text when the original id is put back', () => {
    fc.assert(
      fc.property(objectText, fc.constantFrom(...IDS), fc.constantFrom(...IDS), (object, own, other) => {
        const text = object.replace('{', `{"id":${own}${/\{\s*\}/.test(object) ? '' : ','}`);
        const id = idAt(text, 'id');
        const sent = withIdAt(text, 'id', other);
        expect(idAt(sent, 'id')).toBe(id === undefined ? undefined : other);
        expect(withIdAt(sent, 'id', id ?? '')).toBe(text);
      }),
    );
  });
});
