import { widthOf } from '../../present/columns.ts';
import type { TextBuffer } from '../model/text-buffer.ts';
import { type Palette, type StyledSpan, styledRow } from './styled-row.ts';

/** How much is visible around the cursor if a line is wider than the window. */
const MARGIN = 8;

/** The visible part of a text that is being edited, around the cursor. */
export function editorRows(buffer: TextBuffer, width: number, height: number, palette: Palette): string[] {
  const top = Math.max(0, Math.min(buffer.row - Math.floor(height / 2), buffer.lineCount - height));
  const room = Math.max(1, width - 2);
  const before = buffer.line(buffer.row).slice(0, buffer.column);
  // All lines scroll together, so that columns stay aligned.
  const left = widthOf(before.slice(-room * 2)) < room ? 0 : Math.max(0, buffer.column - room + MARGIN);
  const isScrolled = buffer.column >= left && before.length >= room;
  return Array.from({ length: height }, (_, i) => {
    const row = top + i;
    if (row >= buffer.lineCount) return ' '.repeat(width);
    const from = isScrolled ? left : 0;
    const line = buffer.line(row).slice(from, from + room * 2);
    const spans =
      row === buffer.row ? withCursor(line, buffer.column - from) : [{ text: line, style: 'plain' as const }];
    return styledRow([{ text: ' ', style: 'plain' }, ...spans], width, palette);
  });
}

function withCursor(line: string, column: number): StyledSpan[] {
  const length = (line.codePointAt(column) ?? 0) > 0xffff ? 2 : 1;
  const at = line.slice(column, column + length);
  return [
    { text: line.slice(0, column), style: 'plain' },
    { text: at === '' ? ' ' : at, style: 'cursor' },
    { text: line.slice(column + length), style: 'plain' },
  ];
}
