import { describe, expect, it } from 'vitest';
import { inColour } from './text-style.ts';
import { type TableColumn, tableText, wrapped } from './text-table.ts';

interface Row {
  readonly name: string;
  readonly calls: number;
}

const COLUMNS: readonly TableColumn<Row>[] = [
  { title: 'TOOL', cell: ({ name }) => name },
  { title: 'CALLS', cell: ({ calls }) => String(calls), colour: ({ calls }) => (calls > 9 ? 'red' : undefined) },
  { title: 'DOUBLE', cell: ({ calls }) => String(calls * 2), spare: 2 },
  { title: 'HALF', cell: ({ calls }) => String(calls / 2), spare: 1 },
];

const ROWS: readonly Row[] = [
  { name: 'a', calls: 4 },
  { name: 'a_tool_with_a_long_name', calls: 12 },
];

const shown = (width: number): string => tableText(COLUMNS, ROWS, { width, hasColour: false });

describe('tableText', () => {
  it('aligns names to the left and all other columns to the right', () => {
    expect(shown(Number.POSITIVE_INFINITY)).toBe(`TOOL                     CALLS  DOUBLE  HALF
a                            4       8     2
a_tool_with_a_long_name     12      24     6
`);
  });

  it('truncates names before it drops a column', () => {
    expect(shown(40)).toBe(`TOOL                 CALLS  DOUBLE  HALF
a                        4       8     2
a_tool_with_a_long…     12      24     6
`);
  });

  it('truncates names at the start if the column keeps the end', () => {
    const [name, ...others] = COLUMNS;
    const columns = [...(name ? [{ ...name, keepsEnd: true }] : []), ...others];
    expect(tableText(columns, ROWS, { width: 40, hasColour: false })).toContain('\n…l_with_a_long_name     12 ');
  });

  it('drops the least important column if a name would become too short', () => {
    expect(shown(30)).toBe(`TOOL               CALLS  HALF
a                      4     2
a_tool_with_a_lo…     12     6
`);
    expect(shown(5)).toBe(`TOOL              CALLS
a                     4
a_tool_with_a_l…     12
`);
  });

  it.each([120, 80, 60, 44, 23])('prints no line longer than %i characters', (width) => {
    for (const line of shown(width).split('\n')) expect(line.length).toBeLessThanOrEqual(width);
  });

  it('counts a surrogate pair as one character', () => {
    const rows = [{ name: '🎞🎞🎞', calls: 1 }];
    expect(tableText(COLUMNS.slice(0, 2), rows, { width: 80, hasColour: false })).toBe('TOOL  CALLS\n🎞🎞🎞       1\n');
  });

  it('aligns names in wide characters and emoji, and cuts them between characters', () => {
    const rows = ['検索ツール', 'a', '👨\u200d👩\u200d👧\u200d👦'].map((name) => ({ name, calls: 1 }));
    const text = (width: number): string => tableText(COLUMNS.slice(0, 2), rows, { width, hasColour: false });
    expect(text(80)).toBe(`TOOL        CALLS
検索ツール      1
a               1
👨\u200d👩\u200d👧\u200d👦              1
`);
    const long = [{ name: '日本語のとても長い名前', calls: 1 }];
    expect(tableText(COLUMNS.slice(0, 2), long, { width: 23, hasColour: false })).toContain('日本語のとても…      1');
  });

  it('cuts the column that is marked for it, and pads no cell at the end of a line', () => {
    const columns = [
      { title: 'ID', isText: true, cell: ({ id }: { id: string }) => id },
      { title: 'N', cell: () => '12' },
      { title: 'LABEL', isCut: true, cell: () => 'a label that is rather long' },
    ];
    expect(tableText(columns, [{ id: 'x' }], { width: 26, hasColour: false })).toBe(`ID   N  LABEL
x   12  a label that is r…
`);
  });

  it('colors a cell without shifting the next one', () => {
    const text = tableText(COLUMNS.slice(0, 2), ROWS, { width: 80, hasColour: true });
    expect(text).toContain('a_tool_with_a_long_name  \u001b[31m   12\u001b[39m\n');
  });
});

describe('inColour', () => {
  it('adds no escape codes if colors are disabled or no color is given', () => {
    expect(inColour('x', 'red', { hasColour: false })).toBe('x');
    expect(inColour('x', undefined, { hasColour: true })).toBe('x');
  });
});

describe('wrapped', () => {
  it('wraps a text to the width, and leaves it unchanged if it fits', () => {
    expect(wrapped('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapped('a word_that_is_long', 6)).toEqual(['a', 'word_t', 'hat_is', '_long']);
    expect(wrapped('日本語の 名前', 6)).toEqual(['日本語', 'の', '名前']);
    expect(wrapped('one two three', Number.POSITIVE_INFINITY)).toEqual(['one two three']);
  });
});
