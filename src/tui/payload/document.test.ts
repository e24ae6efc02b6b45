import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact } from '../../json/layout.ts';
import { MessageDocument } from './document.ts';

function rowsOf(document: MessageDocument): string[] {
  document.ensure(Number.POSITIVE_INFINITY);
  return Array.from({ length: document.length }, (_, i) => {
    const { indent = 0, spans = [] } = document.row(i) ?? {};
    return ' '.repeat(indent) + spans.map(({ text }) => text).join('');
  });
}

const documentOf = (text: string, width = 60): MessageDocument =>
  new MessageDocument({ text, original: undefined }, width);

describe('a message as it is shown', () => {
  it('is laid out with every number and escape as it was sent', () => {
    expect(rowsOf(documentOf('{"a":1.0,"b":[],"c":{"d":[12345678901234567890,"\\u00e9"]}}'))).toEqual([
      '{',
      '  "a": 1.0,',
      '  "b": [],',
      '  "c": {',
      '    "d": [',
      '      12345678901234567890,',
      '      "\\u00e9"',
      '    ]',
      '  }',
      '}',
    ]);
  });

  it('loses nothing of any JSON, however narrow the window', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 8, max: 80 }), (text, width) => {
        const shown = rowsOf(documentOf(text, width)).map((row) => row.trimStart());
        // A row that starts with its own white space looks the same as an indented one.
        const joined = shown.join('').replaceAll(/\s|json in a string/g, '');
        if (!/\\\\?"|\s{2}|^\s|[{[]/.test(text.slice(1))) expect(joined).toBe(compact(text).replaceAll(/\s/g, ''));
      }),
    );
  });

  it('opens JSON that stands in a string', () => {
    expect(rowsOf(documentOf('{"text":"{\\"x\\":[1]}","no":"{not json"}'))).toEqual([
      '{',
      '  "text": json in a string {',
      '    "x": [',
      '      1',
      '    ]',
      '  },',
      '  "no": "{not json"',
      '}',
    ]);
  });

  it('breaks long strings at the width, at line breaks, and never within an escape', () => {
    expect(rowsOf(documentOf('["one\\ntwos \\u00e9 three"]', 12))).toEqual([
      '[',
      '  "one\\n',
      '  twos ',
      '  \\u00e9 thr',
      '  ee"',
      ']',
    ]);
  });

  it('folds what begins in a row, and unfolds it', () => {
    const document = documentOf('{"a":{"b":1},"c":[1,2]}');
    document.toggle(1);
    expect(rowsOf(document)).toEqual(['{', '  "a": { … 7 characters },', '  "c": [', '    1,', '    2', '  ]', '}']);
    document.toggle(1, 'folded');
    expect(rowsOf(document)).toHaveLength(7);
    document.toggle(1, 'open');
    expect(rowsOf(document)).toHaveLength(9);
    document.toggle(2);
    expect(rowsOf(document)).toHaveLength(9);
  });

  it('finds text across the end of a row, forwards and backwards, and begins anew', () => {
    const document = documentOf('["aaaaaaaaaaNEEDLEaaaa","b","needle"]', 20);
    const rows = rowsOf(document);
    const first = document.find('needle', 0, 1);
    expect(rows[first ?? 0]).toContain('NEED');
    const second = document.find('needle', (first ?? 0) + 1, 1);
    expect(rows[second ?? 0]).toContain('"needle"');
    expect(document.find('needle', (second ?? 0) + 1, 1)).toBe(first);
    expect(document.find('needle', (second ?? 0) - 1, -1)).toBe(first);
    expect(document.find('nowhere', 0, 1)).toBeUndefined();
  });

  it('lays out no more of a long string than is looked at', () => {
    const document = documentOf(JSON.stringify({ text: 'x'.repeat(5_000_000) }));
    document.ensure(40);
    expect(document.length).toBe(40);
    expect(document.isComplete).toBe(false);
  });

  it('does not mind 10,000 levels', () => {
    const document = documentOf('['.repeat(10_000) + ']'.repeat(10_000));
    document.ensure(Number.POSITIVE_INFINITY);
    expect(document.length).toBe(19_999);
    expect(document.row(9000)?.indent).toBe(30);
  });

  it('shows a text that is no JSON line by line', () => {
    expect(rowsOf(documentOf('no\njson {'))).toEqual(['no', 'json {']);
  });

  it('shows what was changed before the message itself', () => {
    const document = new MessageDocument({ text: '{"q":"new","n":1}', original: '{"q":"old","n":1}' }, 60);
    expect(rowsOf(document).slice(0, 7)).toEqual([
      'what was seen (-) and what was sent (+)',
      '  {',
      '-   "q": "old",',
      '+   "q": "new",',
      '    "n": 1',
      '  }',
      '',
    ]);
  });
});
