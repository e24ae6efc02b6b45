import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText, objectText } from '../../../test/support/sample-texts.ts';
import { readPath } from '../../json/json-path.ts';
import { forEachToken } from '../../json/tokens.ts';
import { compileReplacement, type FindReplacements, replaceIn } from './replacement.ts';

async function finder(pattern: string, template: string): Promise<FindReplacements> {
  const found = await compileReplacement(pattern, template);
  if (typeof found !== 'function') throw new Error(found.why);
  return found;
}

async function replaced(pattern: string, template: string, text: string, path?: string): Promise<string> {
  const steps = path === undefined ? undefined : readPath(path);
  if (steps !== undefined && 'fault' in steps) throw new Error(`No path: ${path}`);
  return replaceIn(steps, await finder(pattern, template))(text);
}

/** The text outside its strings. */
function besidesStrings(text: string): string {
  const parts: string[] = [];
  forEachToken(text, (kind, start, end) => kind !== '"' && parts.push(text.slice(start, end)));
  return parts.join(' ');
}

function inAllStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => inAllStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inAllStrings(item, change)]));
}

describe('replaceIn', () => {
  it.each([
    ['in strings at any depth', 'o', '0', '{"p":["foo",{"q":"o"}]}', '{"p":["f00",{"q":"0"}]}'],
    ['no keys', 'foo', 'x', '{"foo":{"foo":"foo"}}', '{"foo":{"foo":"x"}}'],
    ['no numbers or literals', '1|true', 'x', '{"a":[1,true,"1"]}', '{"a":[1,true,"x"]}'],
    [
      'nothing of the envelope',
      '.',
      'x',
      '{"jsonrpc":"2.0","id":"7","method":"m","params":{"id":"7"}}',
      '{"jsonrpc":"2.0","id":"7","method":"m","params":{"id":"x"}}',
    ],
    [
      'by what groups found',
      '(\\w+)@(\\w+)',
      '$2 at $1, $0, $$5',
      '{"a":"me@home"}',
      '{"a":"home at me, me@home, $5"}',
    ],
    ['by nothing', 'b', '', '{"a":"abc"}', '{"a":"ac"}'],
    ['by the empty text of a group that found nothing', 'a(x)?', '[$1]', '{"a":"a"}', '{"a":"[]"}'],
    ['at places without a character', '^', '> ', '{"a":"abc"}', '{"a":"> abc"}'],
    [
      'what is written with escapes',
      'é|/',
      '"',
      String.raw`{"a":"\u00e9\/\t\u0041"}`,
      String.raw`{"a":"\"\"\t\u0041"}`,
    ],
    ['beyond the basic plane', '.', '$0$0', '{"a":"😀"}', '{"a":"😀😀"}'],
  ])('replaces %s', async (_, pattern, template, text, changed) => {
    expect(await replaced(pattern, template, text)).toBe(changed);
  });

  it('replaces only at and below the path, if one is given', async () => {
    const text = '{"a":{"b":"o","c":["o",{"d":"o"}]},"b":"o"}';
    expect(await replaced('o', 'x', text, '$.a.c')).toBe('{"a":{"b":"o","c":["x",{"d":"x"}]},"b":"o"}');
    expect(await replaced('o', 'x', text, '$..b')).toBe('{"a":{"b":"x","c":["o",{"d":"o"}]},"b":"x"}');
  });

  it('keeps the escapes of a string whose replacement equals the match', async () => {
    const text = String.raw`{"a":"\u0041b"}`;
    expect(await replaced('A(b)', 'A$1', text)).toBe(text);
  });

  it('leaves invalid JSON unchanged', async () => {
    expect(await replaced('a', 'b', '{"x":"a"')).toBe('{"x":"a"');
  });

  it.each([
    ['[a-c]', '$0x'],
    ['a+|\\d', ''],
    ['([^b])([^b])', '$2$1'],
  ])(
    'replaces %s in the strings of any document as String.replace does, and changes nothing else',
    async (pattern, template) => {
      const change = replaceIn(undefined, await finder(pattern, template));
      const native = new RegExp(pattern, 'gu');
      fc.assert(
        fc.property(jsonText, (inner) => {
          const text = `{"params":${inner}}`;
          const changed = change(text);
          expect(besidesStrings(changed)).toBe(besidesStrings(text));
          const expected = inAllStrings(JSON.parse(text), (sent) =>
            sent.replace(native, template.replace('$0', '$$&')),
          );
          expect(JSON.parse(changed)).toEqual(expected);
        }),
      );
    },
  );

  it('leaves any document without a match unchanged', async () => {
    const change = replaceIn(undefined, await finder('never there', 'x'));
    fc.assert(
      fc.property(objectText, (text) => {
        expect(change(text)).toBe(text);
      }),
    );
  });
});

describe('compileReplacement', () => {
  it.each([
    ['a(', 'x', 'pattern', 0],
    ['(?=a)', 'x', 'pattern', 0],
    ['(a)', 'x$2', 'with', 1],
    ['a', 'costs 5$', 'with', 7],
    ['a', '$x', 'with', 0],
  ])('reports the error in the pattern %s or the template %s', async (pattern, template, where, offset) => {
    expect(await compileReplacement(pattern, template)).toMatchObject({ in: where, offset });
  });

  it('evaluates a pattern that would backtrack catastrophically in other engines', async () => {
    const find = await finder('(a+)+$', 'x');
    expect(find(`${'a'.repeat(20_000)}b`)).toEqual([]);
  });
});
