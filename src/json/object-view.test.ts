import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { almostJsonText, deepTexts, objectText } from '../../test/support/sample-texts.ts';
import { elementsOf, elementTexts, ObjectView } from './object-view.ts';
import { scanValue } from './scan.ts';

function view(text: string): ObjectView {
  const found = ObjectView.of(text);
  if (found === undefined) throw new Error(`no object: ${text}`);
  return found;
}

describe('ObjectView', () => {
  it.each(['1e400', '12345678901234567890', '1.0', '-0', '1E+2', '"\\u0061"', '[ 1 , 2 ]', '{ "b":\n1.0}'])(
    'keeps the value %s as it was written',
    (value) => {
      expect(view(`{ "before":0, "a" : ${value} ,"after":0}`).textOf('a')).toBe(value);
    },
  );

  it('finds a member whose key is written with escapes', () => {
    expect(view('{"\\u0069\\u0064":7}').textOf('id')).toBe('7');
    expect(view('{"a\\"\\\\\\n":1}').textOf('a"\\\n')).toBe('1');
    expect(view('{"\\ud83d\\ude00":1}').textOf('😀')).toBe('1');
  });

  it('uses the last of duplicate keys', () => {
    expect(view('{"id":1,"x":0,"id":2}').textOf('id')).toBe('2');
    expect(view('{"id":1,"\\u0069d":2}').textOf('id')).toBe('2');
  });

  it('treats the names of inherited properties as plain keys', () => {
    const sample = view('{"__proto__":{"admin":true}}');
    expect(sample.textOf('__proto__')).toBe('{"admin":true}');
    expect(sample.has('admin')).toBe(false);
    expect(sample.has('constructor')).toBe(false);
    expect(sample.value('toString')).toBeUndefined();
    expect(view('{"a":{"__proto__":1}}').object('a')?.number('__proto__')).toBe(1);
  });

  it('returns a member only as the requested type', () => {
    const sample = view('{"s":"a\\nb","n":1.5,"o":{"k":null},"a":[1],"z":null}');
    expect(sample.string('s')).toBe('a\nb');
    expect(sample.string('n')).toBeUndefined();
    expect(sample.number('n')).toBe(1.5);
    expect(sample.number('s')).toBeUndefined();
    expect(sample.number('missing')).toBeUndefined();
    expect(sample.object('o')?.textOf('k')).toBe('null');
    expect(sample.object('a')).toBeUndefined();
    expect(sample.value('a')).toEqual([1]);
    expect(sample.value('z')).toBeNull();
    expect(sample.value('missing')).toBeUndefined();
    expect(view('{"w":["a",1,"\\u0062",[]]}').strings('w')).toEqual(['a', 'b']);
    expect([sample.strings('s'), sample.strings('missing')]).toEqual([undefined, undefined]);
    expect([sample.has('z'), sample.has('missing')]).toEqual([true, false]);
  });

  it('returns no number for one that JavaScript cannot represent', () => {
    expect(view('{"n":1e400}').number('n')).toBeUndefined();
  });

  it('keeps only the members that pass the filter, as they were written', () => {
    const sample = view('{ "a" : 1.0 , "b":2, "\\u0063" : [ ] }');
    expect(sample.only((key) => key !== 'b')).toBe('{"a" : 1.0,"\\u0063" : [ ]}');
    expect(sample.only(() => false)).toBeUndefined();
  });

  it.each(['', '[]', '1', '"{}"', 'null', '{', '{}}', '{} x', '{"a":1,}', '\ufeff{}'])(
    'cannot create a view of %j',
    (text) => {
      expect(ObjectView.of(text)).toBeUndefined();
    },
  );

  it('accepts exactly the texts that JSON.parse parses to an object, with equal members', () => {
    fc.assert(
      fc.property(fc.oneof(objectText, almostJsonText), (text) => {
        const sample = ObjectView.of(text);
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {}
        const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
        expect(sample !== undefined).toBe(isObject);
        if (sample === undefined || !isObject) return;
        for (const [key, value] of Object.entries(parsed as object)) expect(sample.value(key)).toEqual(value);
        expect(new Set(sample.members.map(({ key }) => key))).toEqual(new Set(Object.keys(parsed as object)));
      }),
    );
  });

  it('lets a caller scan a value during parsing', () => {
    const text = '{"id":1,"params":{"name":"a"},"x":[2]}';
    const seen: [string, string][] = [];
    const sample = ObjectView.of(text, (key, start) => {
      const end = scanValue(text, start);
      seen.push([key, text.slice(start, end)]);
      return end;
    });
    expect(seen).toEqual([
      ['id', '1'],
      ['params', '{"name":"a"}'],
      ['x', '[2]'],
    ]);
    expect(sample?.textOf('params')).toBe('{"name":"a"}');
    expect(ObjectView.of(text, (_, start) => ~start)).toBeUndefined();
  });

  it.each(deepTexts)('returns the members next to 100,000 levels of $of', ({ text }) => {
    const sample = view(`{"deep":${text},"id":1.0}`);
    expect(sample.textOf('id')).toBe('1.0');
    expect(sample.textOf('deep')).toBe(text);
    expect(sample.object('deep') !== undefined).toBe(text.startsWith('{'));
    expect(sample.string('deep')).toBeUndefined();
    expect(sample.number('deep')).toBeUndefined();
    expect(sample.value('deep')).toBeTypeOf('object');
    expect(sample.only((key) => key === 'deep')).toBe(`{"deep":${text}}`);
    expect(ObjectView.ofHead(`{"id":1,"deep":${text.slice(0, -1)}`).textOf('id')).toBe('1');
  });
});

describe('ObjectView.ofHead', () => {
  it('returns the members before the cut', () => {
    const head = ObjectView.ofHead('{"jsonrpc":"2.0","id":1,"result":{"con');
    expect(head.string('jsonrpc')).toBe('2.0');
    expect(head.textOf('id')).toBe('1');
    expect(head.has('result')).toBe(false);
  });

  it('returns a value that is complete even if nothing follows it', () => {
    expect(ObjectView.ofHead('{"method":"ping"').string('method')).toBe('ping');
    expect(ObjectView.ofHead('{"params":{}').textOf('params')).toBe('{}');
    expect(ObjectView.ofHead('{"ok":true').textOf('ok')).toBe('true');
    expect(ObjectView.ofHead('{"id":12 ').textOf('id')).toBe('12');
  });

  it('does not return a number that the cut may have shortened', () => {
    expect(ObjectView.ofHead('{"a":1,"id":12').members.map(({ key }) => key)).toEqual(['a']);
  });

  it('returns no members for anything but an object', () => {
    expect(ObjectView.ofHead('').members).toEqual([]);
    expect(ObjectView.ofHead('[{"a":1}]').members).toEqual([]);
    expect(ObjectView.ofHead('12').members).toEqual([]);
  });

  it('returns the first members of the whole object, wherever the cut is', () => {
    fc.assert(
      fc.property(objectText, fc.nat(), (text, where) => {
        const cut = where % (text.length + 1);
        const whole = view(text).members;
        const shown = ObjectView.ofHead(text.slice(0, cut)).members;
        expect(shown).toEqual(whole.slice(0, shown.length));
        expect(shown.length).toBeGreaterThanOrEqual(whole.filter(({ end }) => end < cut).length);
      }),
    );
  });
});

describe('elementsOf', () => {
  it('returns the spans of an array, and undefined for anything else', () => {
    expect(elementsOf(' [1, "a"] ')).toEqual([
      { start: 2, end: 3 },
      { start: 5, end: 8 },
    ]);
    expect(elementsOf('[]')).toEqual([]);
    for (const text of ['', '{}', '1', '[1', '[1] 2', '[1,]']) expect(elementsOf(text)).toBeUndefined();
  });

  it('returns the exact texts of the elements', () => {
    expect(elementTexts(' [1.0, "a" ,{ }] ')).toEqual(['1.0', '"a"', '{ }']);
    expect(elementTexts('{}')).toBeUndefined();
  });

  it.each(deepTexts)('skips 100,000 levels of $of', ({ text }) => {
    expect(elementsOf(`[${text},1]`)?.length).toBe(2);
  });
});

describe('ObjectView.openMember', () => {
  it.each([
    ['{"a":1,"b": [1,2', { key: 'b', start: 12 }],
    ['{ "a" : "cut', { key: 'a', start: 8 }],
    ['{"a":1,"b":', { key: 'b', start: 11 }],
    ['{"a":1,"b"', undefined],
    ['{"a":1', { key: 'a', start: 5 }],
    ['{', undefined],
  ])('returns the open member of %j: %j', (head, member) => {
    expect(ObjectView.ofHead(head).openMember()).toEqual(member);
  });
});
