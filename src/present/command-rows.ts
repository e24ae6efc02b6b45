/** A piece of a shown word: text of the word, or a mark in place of characters that no one sees. */
export interface WordPiece {
  readonly text: string;
  readonly isMark: boolean;
}

/** A row of a shown command: its label, and the lines of its text. */
export interface CommandRow {
  readonly label: string;
  readonly lines: readonly (readonly WordPiece[])[];
}

/**
 * Blank characters other than a single space between two visible ones: line breaks, tabs, runs of spaces, spaces at an
 * end, and the blanks of Unicode. They can push the rest of a command out of sight.
 */
const BLANKS =
  /(\r\n|\n|\r|\v|\f|\t|\u0085|\u2028|\u2029|[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u2800\u3164\uffa0])\1*|^ +| {2,}| +$| (?=[\s\u0085\u115f\u1160\u2800\u3164\uffa0])|(?<=[\s\u0085\u115f\u1160\u2800\u3164\uffa0]) /g;

const BREAKS = new Set(['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029']);

/**
 * Shows each word of a command in a numbered row of its own. Line breaks, tabs and runs of spaces become marks, so that
 * a word takes as much room as it has visible text. Other invisible characters are left to whatever shows the rows.
 */
export function commandRows(words: readonly string[]): CommandRow[] {
  return words.map((word, index) => shownRow(String(index + 1), word));
}

/** Shows one text in a row with this label. */
export function shownRow(label: string, text: string): CommandRow {
  const lines: WordPiece[][] = [];
  let line: WordPiece[] = [];
  let at = 0;
  for (const { start, end, marks } of blanksIn(text)) {
    if (start > at) line.push(...unstacked(text.slice(at, start)));
    at = end;
    for (const { text: mark, breaks } of marks) {
      line.push({ text: mark, isMark: true });
      if (!breaks) continue;
      lines.push(line);
      line = [];
    }
  }
  if (at < text.length) line.push(...unstacked(text.slice(at)));
  if (text === '') line.push({ text: '(empty)', isMark: true });
  return { label, lines: line.length === 0 ? lines : [...lines, line] };
}

/** More marks than any script puts on one letter. They would be drawn over the lines around them. */
const STACKED = /\p{M}{5,}/gu;

/** The pieces of a text, with a mark in place of letters' stacked marks. */
function unstacked(text: string): WordPiece[] {
  const pieces: WordPiece[] = [];
  let at = 0;
  for (const { 0: marks, index } of text.matchAll(STACKED)) {
    if (index > at) pieces.push({ text: text.slice(at, index), isMark: false });
    pieces.push({ text: `‹${[...marks].length} combining characters›`, isMark: true });
    at = index + marks.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMark: false });
  return pieces;
}

/** Blanks without visible text between them. */
interface BlankStretch {
  readonly start: number;
  end: number;
  marks: { readonly text: string; readonly breaks: boolean }[];
}

/** Enough for a few lines with indentation. More different blanks in a row are only counted. */
const MAX_MARKS = 6;

/** Finds the stretches of blanks, with a mark for each run of equal ones. */
function blanksIn(text: string): BlankStretch[] {
  const stretches: BlankStretch[] = [];
  for (const { 0: run, 1: unit = ' ', index } of text.matchAll(BLANKS)) {
    const before = stretches.at(-1);
    const stretch = before?.end === index ? before : { start: index, end: index, marks: [] };
    if (stretch !== before) stretches.push(stretch);
    stretch.end = index + run.length;
    if (stretch.marks.length <= MAX_MARKS) {
      stretch.marks.push({ text: markOf(unit, run.length / unit.length), breaks: BREAKS.has(unit) });
    }
  }
  for (const stretch of stretches) {
    if (stretch.marks.length <= MAX_MARKS) continue;
    stretch.marks = [{ text: `‹${stretch.end - stretch.start} blanks›`, breaks: true }];
  }
  return stretches;
}

const NAMES: Readonly<Record<string, string>> = { ' ': '␣', '\t': '⇥', '\n': '↵', '\r\n': '↵', '\r': '␍' };

function markOf(unit: string, count: number): string {
  const name = NAMES[unit] ?? `‹${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`;
  return count === 1 ? name : `${name}×${count}`;
}
