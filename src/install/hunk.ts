import type { TextSpan } from '../json/scan.ts';
import { applyEdits, type EntryEdit } from './entry-edit.ts';
import { lineEnd, lineNumber } from './layout.ts';

/** The lines that a change removes from a file, and the lines that replace them. */
export interface Hunk {
  /** The path of the entry that the lines belong to. */
  readonly path: readonly string[];
  /** The number of the first removed line, counting from 1. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * Shows the changes of the edits, one hunk per member. Only that member of a line is shown, because an environment with
 * secrets may be next to it.
 */
export function hunksOf(text: string, path: readonly string[], edits: readonly EntryEdit[]): Hunk[] {
  const regions = new Map(edits.map(({ region }) => [`${region.start} ${region.end}`, region]));
  return [...regions.values()]
    .toSorted((a, b) => a.start - b.start)
    .map((region) => {
      const inside = edits.filter((edit) => edit.region.start === region.start && edit.region.end === region.end);
      return { path, ...changedLines(text, region, inside) };
    });
}

function changedLines(text: string, region: TextSpan, edits: readonly EntryEdit[]): Omit<Hunk, 'path'> {
  const after = applyEdits(text, edits);
  const before = shown(text, region);
  const changed = shown(after, { start: region.start, end: region.end + after.length - text.length });
  const head = commonLines(before, changed);
  const tail = commonLines(before.slice(head).toReversed(), changed.slice(head).toReversed());
  return {
    line: lineNumber(text, region.start) + head,
    removed: before.slice(head, before.length - tail),
    added: changed.slice(head, changed.length - tail),
  };
}

function shown(text: string, { start, end }: TextSpan): string[] {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const last = lineEnd(text, end);
  const lead = text.slice(lineStart, start);
  const rest = text.slice(end, last);
  const left = /^[ \t\ufeff]*$/.test(lead) ? lead : '…';
  const right = /^[ \t]*,?[ \t]*$/.test(rest) ? rest : '…';
  return `${left}${text.slice(start, end)}${right}`.split(/\r?\n/);
}

function commonLines(a: readonly string[], b: readonly string[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i;
  return length;
}
