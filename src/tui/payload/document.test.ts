import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NEEDED, UNSEEN } from '../../../test/support/unseen-characters.ts';
import { compact } from '../../json/layout.ts';
import { oneLine } from '../../present/visible-text.ts';
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

describe('MessageDocument', () => {
  it('keeps every number and escape as it was sent', () => {
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

  it('shows every invisible character in full and every needed one unchanged at any window width', () => {
    const text = `"${[...Object.values(UNSEEN), ...Object.values(NEEDED)].join('x')}"`;
    for (let width = 14; width < 70; width++) expect(rowsOf(documentOf(text, width)).join('')).toBe(oneLine(text));
  });

  it('loses no part of any JSON at any window width', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 8, max: 80 }), (text, width) => {
        const shown = rowsOf(documentOf(text, width)).map((row) => row.trimStart());
        // A row that starts with its own white space looks the same as an indented one.
        const joined = shown.join('').replaceAll(/\s|json in a string/g, '');
        if (!/\\\\?"|\s{2}|^\s|[{[]/.test(text.slice(1))) expect(joined).toBe(compact(text).replaceAll(/\s/g, ''));
      }),
    );
  });

  it('expands JSON inside a string', () => {
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

  it('wraps long strings at the width and at line breaks, and never within an escape', () => {
    expect(rowsOf(documentOf('["one\\ntwos \\u00e9 three"]', 12))).toEqual([
      '[',
      '  "one\\n',
      '  twos ',
      '  \\u00e9 thr',
      '  ee"',
      ']',
    ]);
  });

  it('folds and unfolds the value that starts in a row', () => {
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

  it('finds text across row ends in both directions, and wraps around', () => {
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

  it('lays out only the requested rows of a long string', () => {
    const document = documentOf(JSON.stringify({ text: 'x'.repeat(5_000_000) }));
    document.ensure(40);
    expect(document.length).toBe(40);
    expect(document.isComplete).toBe(false);
  });

  it('lays out JSON nested 10,000 levels deep', () => {
    const document = documentOf('['.repeat(10_000) + ']'.repeat(10_000));
    document.ensure(Number.POSITIVE_INFINITY);
    expect(document.length).toBe(19_999);
    expect(document.row(9000)?.indent).toBe(30);
  });

  it('shows text that is not JSON line by line', () => {
    expect(rowsOf(documentOf('no\njson {'))).toEqual(['no', 'json {']);
  });

  it('shows the changes before the message itself', () => {
    const document = new MessageDocument({ text: '{"q":"new","n":1}', original: '{"q":"old","n":1}' }, 60);
    expect(rowsOf(document).slice(0, 7)).toEqual([
      'original (-) and sent message (+)',
      '  {',
      '-   "q": "old",',
      '+   "q": "new",',
      '    "n": 1',
      '  }',
      '',
    ]);
  });
});
