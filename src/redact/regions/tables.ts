import { type DetectedSpan, RANK } from '../detect/detector.ts';
import { isPlausibleSecret } from '../detect/plausibility.ts';
import { strengthOfName } from '../names/secret-names.ts';
import { kindOfName } from '../placeholder.ts';

/** Wider tables, and what follows this much of a longer one, are not looked at. */
const MAX_HEADER = 1024;
export const MAX_TABLE: number = 1 << 16;

/** The offset up to which rows have been looked at. */
export interface TableProgress {
  end: number;
}

/** The line between the names of the columns of a table in Markdown and its rows. */
const RULE = /[ \t]{0,8}\|?(?:[ \t]{0,8}:?-{1,80}:?[ \t]{0,8}\|){1,64}(?:[ \t]{0,8}:?-{1,80}:?)?[ \t]{0,8}\r?\n/y;

/** Finds the secrets in the columns of a table in Markdown, given an offset in the line below their names. */
export function secretsInTable(text: string, at: number, progress: TableProgress): DetectedSpan[] {
  if (at < progress.end) return [];
  const lineEnd = text.indexOf('\n', at);
  progress.end = lineEnd < 0 ? text.length : lineEnd;
  const before = text.slice(Math.max(0, at - MAX_HEADER), at);
  const ruleStart = before.lastIndexOf('\n') + 1;
  RULE.lastIndex = at - before.length + ruleStart;
  if (ruleStart < 2 || !RULE.test(text)) return [];
  const head = before.slice(before.lastIndexOf('\n', ruleStart - 2) + 1, ruleStart);
  const names = cellsOf(head.trimEnd()).map((cell) => cell.text);
  if (!names.some((name) => strengthOfName(name) !== undefined)) return [];
  const found: DetectedSpan[] = [];
  let lineStart = RULE.lastIndex;
  for (const line of text.slice(lineStart, lineStart + MAX_TABLE).split('\n')) {
    if (!line.includes('|')) break;
    for (const [index, cell] of cellsOf(line).entries()) {
      found.push(...secretOf(names[index] ?? '', cell.text, lineStart + cell.start));
    }
    lineStart += line.length + 1;
  }
  progress.end = lineStart;
  return found;
}

interface Cell {
  readonly start: number;
  readonly text: string;
}

/** The cells of a row, without the marks around what they contain. */
function cellsOf(line: string): Cell[] {
  let at = 0;
  const cells = line.split('|').map((cell): Cell => {
    const before = /^[\s`"'*]*/.exec(cell)?.[0].length ?? 0;
    const start = at + before;
    at += cell.length + 1;
    return { start, text: cell.slice(before).replace(/[\s`"'*]{1,16}$/, '') };
  });
  return line.trimStart().startsWith('|') ? cells.slice(1) : cells;
}

const INSERT =
  /insert(?:\s{1,4}(?:ignore|or\s\w{1,10}))?\s{1,4}into\s{1,4}[^\s(]{1,128}\s{0,8}\(([^()]{1,1024})\)\s{0,8}values\s{0,8}/iy;
/** A value in a list, and what ends it. */
const LISTED =
  /\s{0,16}(?:[NEB]?(['"])((?:[^'"\\]|\\.|''|(?!\1)['"])*)\1|[^,()'"]{0,256}(?:\([^()]{0,256}\))?)\s{0,16}([,)])/iy;

/** Finds the secrets that a statement in SQL inserts, given its offset. */
export function secretsInInsert(text: string, at: number, progress: TableProgress): DetectedSpan[] {
  INSERT.lastIndex = at;
  const head = at < progress.end ? null : INSERT.exec(text);
  const names = (head?.[1] ?? '').split(',').map((name) => name.replaceAll(/[^\w.-]/g, ''));
  if (head === null || !names.some((name) => strengthOfName(name) !== undefined)) return [];
  const from = INSERT.lastIndex;
  const rows = text.slice(from, from + MAX_TABLE);
  const found: DetectedSpan[] = [];
  let i = 0;
  while (rows.charAt(i) === '(') {
    i++;
    for (let index = 0, isLast = false; !isLast; index++) {
      LISTED.lastIndex = i;
      const listed = LISTED.exec(rows);
      if (listed === null) return found;
      const [all, mark = '', value = '', end] = listed;
      if (mark !== '') found.push(...secretOf(names[index] ?? '', value, from + i + all.indexOf(mark) + 1));
      i = LISTED.lastIndex;
      isLast = end === ')';
    }
    i += /^\s{0,16},?\s{0,16}/.exec(rows.slice(i, i + 40))?.[0].length ?? 0;
    progress.end = from + i;
  }
  return found;
}

function secretOf(name: string, value: string, start: number): DetectedSpan[] {
  const strength = strengthOfName(name);
  if (strength === undefined || !isPlausibleSecret(value, { strength, quoted: true, isSetting: false })) return [];
  return [{ start, end: start + value.length, kind: kindOfName(name), rank: RANK.context }];
}
