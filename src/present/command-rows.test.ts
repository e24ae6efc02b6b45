import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandRows } from './command-rows.ts';

/** The text of each line, with marks in brackets. */
function shown(words: readonly string[]): string[] {
  return commandRows(words).flatMap(({ label, lines }) =>
    lines.map((pieces, index) =>
      [index === 0 ? label : ' ', ...pieces.map(({ text, isMark }) => (isMark ? `[${text}]` : text))].join(' '),
    ),
  );
}

describe('commandRows', () => {
  it('shows each word in a numbered row', () => {
    expect(shown(['node', 'server.js', '--name', 'a b', ''])).toEqual([
      '1 node',
      '2 server.js',
      '3 --name',
      '4 a b',
      '5 [(empty)]',
    ]);
  });

  it('shows runs of spaces, spaces at the ends, and tabs as marks, however long they are', () => {
    expect(shown([`ls${' '.repeat(4000)}; id`])).toEqual(['1 ls [␣×4000] ; id']);
    expect(shown([' a '])).toEqual(['1 [␣] a [␣]']);
    expect(shown(['a\tb\t\t'])).toEqual(['1 a [⇥] b [⇥×2]']);
  });

  it('shows line breaks as marks, and breaks the line once for each run', () => {
    expect(shown([`echo${'\n'.repeat(500)}id`, 'x'])).toEqual(['1 echo [↵×500]', '  id', '2 x']);
    expect(shown(['a\r\n\r\nb\rc'])).toEqual(['1 a [↵×2]', '  b [␍]', '  c']);
  });

  it('shows Unicode blanks as marks', () => {
    expect(shown(['a\u00a0b\u3000\u3000c\u2800\u2028d'])).toEqual([
      '1 a [‹00A0›] b [‹3000›×2] c [‹2800›] [‹2028›]',
      '  d',
    ]);
  });

  it('counts marks that are stacked on one letter instead of drawing them over other lines', () => {
    expect(shown([`id${'\u0336'.repeat(400)}; x`])).toEqual(['1 id [‹400 combining characters›] ; x']);
    expect(shown(['c\u0327\u0301a נָּ'])).toEqual(['1 c\u0327\u0301a נָּ']);
  });

  it('counts different blanks in a row beyond a few', () => {
    expect(shown([`a${'\t\n'.repeat(1000)}b`])).toEqual(['1 a [‹2000 blanks›]', '  b']);
    expect(shown([`a${' \u00a0'.repeat(1000)}b`])).toEqual(['1 a [‹2000 blanks›]', '  b']);
    expect(shown(['if x; then\n  y\nfi'])).toEqual(['1 if x; then [↵]', '  [␣×2] y [↵]', '  fi']);
  });

  it('keeps every visible character of any command, in order', () => {
    const blank = /[\s\u0085\u115f\u1160\u2800\u3164\uffa0]+/gu;
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
        const texts = commandRows(words).map(({ lines }) =>
          lines.flatMap((line) => line.filter(({ isMark }) => !isMark).map(({ text }) => text)).join(''),
        );
        expect(texts.map((text) => text.replaceAll(blank, ''))).toEqual(
          words.map((word) => word.replaceAll(blank, '')),
        );
      }),
    );
  });
});
