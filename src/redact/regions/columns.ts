import { type DetectedSpan, RANK } from '../detect/detector.ts';
import { isPlausibleSecret } from '../detect/plausibility.ts';
import { strengthOfName } from '../names/secret-names.ts';
import { kindOfName } from '../placeholder.ts';
import type { TableProgress } from './tables.ts';

/** Wider tables, and what follows this much of a longer one, are not looked at. */
const MAX_HEAD = 1024;
const MAX_ROWS = 1 << 20;

/** The first line of a table: at least two names and what separates them. */
const HEAD = /^(?:"?[\w .-]{1,48}"?(?:([,;\t])"?[\w .-]{1,48}"?)(?:\1"?[\w .-]{1,48}"?){0,62})\r?$/;
/** A cell, in quotes or not. */
const CELL = /"((?:[^"]|"")*)"|[^,;\t\r\n"]*/y;

/** Finds the secrets in the columns of a table whose cells are separated by commas, semicolons or tabs, given an offset in its first line. */
export function secretsInColumns(text: string, at: number, progress: TableProgress): DetectedSpan[] {
  if (at < progress.end) return [];
  const lineStart = text.slice(Math.max(0, at - MAX_HEAD), at).lastIndexOf('\n') + 1 + Math.max(0, at - MAX_HEAD);
  const line = text.slice(lineStart, lineStart + MAX_HEAD);
  const lineEnd = line.indexOf('\n');
  if (lineEnd < 0) return [];
  const head = line.slice(0, lineEnd);
  const mark = HEAD.exec(head)?.[1];
  if (mark === undefined) return [];
  progress.end = lineStart + lineEnd;
  const names = head.split(mark).map((name) => name.replaceAll(/["\r]/g, ''));
  const found: DetectedSpan[] = [];
  const limit = Math.min(text.length, lineStart + MAX_ROWS);
  for (let i = lineStart + lineEnd + 1; i < limit; ) {
    const row: DetectedSpan[] = [];
    let index = 0;
    for (; ; index++) {
      CELL.lastIndex = i;
      const cell = CELL.exec(text);
      if (cell === null) return found;
      const isQuoted = cell[1] !== undefined;
      const start = isQuoted ? i + 1 : i;
      const end = start + (cell[1] ?? cell[0]).length;
      row.push(...secretOf(names[index] ?? '', text.slice(start, end), start));
      i = CELL.lastIndex;
      if (text.charAt(i) !== mark) break;
      i++;
    }
    const rest = /^\r?(?:\n|$)/.exec(text.slice(i, i + 2));
    // Another number of cells ends the table.
    if (index + 1 !== names.length || rest === null) break;
    found.push(...row);
    i += Math.max(1, rest[0].length);
    progress.end = i;
  }
  return found;
}

function secretOf(name: string, value: string, start: number): DetectedSpan[] {
  const strength = strengthOfName(name.trim());
  if (strength === undefined || !isPlausibleSecret(value, { strength, quoted: true, isSetting: true })) return [];
  return [{ start, end: start + value.length, kind: kindOfName(name), rank: RANK.context }];
}
