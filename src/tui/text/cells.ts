import stringWidth from 'string-width';
import { isPlain, printable } from './printable.ts';

/** Measures and cuts text in terminal cells, where some characters take two. All output is printable. */

/** Splits text into grapheme clusters. More code units per cell than MAX_UNITS_IN_CELL are treated as hostile input. */
const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const MAX_UNITS_IN_CELL = 16;

/**
 * How many code units to read per cell, since most characters have no combining marks. The rest goes to the next row.
 */
const UNITS_PER_CELL = 2;

/**
 * Letters that never combine with the previous one: one cell each, or two from U+3000 on. Most text consists of these.
 */
const SIMPLE =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03ff\u0400-\u0482\u048a-\u052f\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]*$/;
const FIRST_WIDE = 0x3000;

export function widthOf(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const { segment } of clusters.segment(text)) width += cellsOf(segment).width;
  return width;
}

/** The part of a text that fits into a number of cells. */
export interface TakenCells {
  readonly text: string;
  readonly width: number;
  /** Where the rest of the text begins. */
  readonly end: number;
}

/** Takes characters from `start` up to `end` while they fit. It takes at least one if there is any. */
export function takeCells(text: string, start: number, end: number, width: number): TakenCells {
  const plainEnd = Math.min(end, start + width);
  const plain = text.slice(start, plainEnd);
  // The next character may be a combining mark that belongs to the last one.
  if (isPlain(text.slice(start, Math.min(end, plainEnd + 1)))) {
    return { text: plain, width: plain.length, end: plainEnd };
  }
  if (SIMPLE.test(text.slice(start, Math.min(end, plainEnd + 1)))) return takeSimple(text, start, plainEnd, width);
  const window = text.slice(start, Math.min(end, start + width * UNITS_PER_CELL + MAX_UNITS_IN_CELL));
  let shown = '';
  let used = 0;
  let at = start;
  for (const { segment } of clusters.segment(window)) {
    const cells = cellsOf(segment);
    if (used + cells.width > width && used > 0) break;
    // A character too wide even for an empty row is shown as `…` rather than as escapes.
    const isTooWide = cells.width > width;
    shown += isTooWide ? '…' : cells.text;
    used += isTooWide ? 1 : cells.width;
    at += segment.length;
    if (used >= width) break;
  }
  return { text: shown, width: used, end: at };
}

function takeSimple(text: string, start: number, end: number, width: number): TakenCells {
  let used = 0;
  let at = start;
  for (; at < end; at++) {
    const cells = text.charCodeAt(at) < FIRST_WIDE ? 1 : 2;
    if (used + cells > width && at > start) break;
    used += cells;
  }
  const fits = used <= width;
  return { text: fits ? text.slice(start, at) : '…', width: Math.min(used, width), end: at };
}

/** The text in exactly `width` cells: cut off with `…` or padded. */
export function fitted(text: string, width: number): string {
  if (width <= 0) return '';
  const whole = takeCells(text, 0, text.length, width);
  if (whole.end >= text.length) return whole.text + ' '.repeat(width - whole.width);
  const cut = width === 1 ? { text: '', width: 0 } : takeCells(text, 0, text.length, width - 1);
  return `${cut.text}…${' '.repeat(width - 1 - cut.width)}`;
}

/** The end of a text in at most `width` cells, for paths, whose end matters most. */
export function fitEnd(text: string, width: number): string {
  if (widthOf(text) <= width) return printable(text);
  let shown = '';
  let used = 1;
  for (const { segment } of [...clusters.segment(text.slice(-width * UNITS_PER_CELL))].reverse()) {
    const cells = cellsOf(segment);
    if (used + cells.width > width) break;
    shown = cells.text + shown;
    used += cells.width;
  }
  return width <= 0 ? '' : `…${shown}`;
}

function cellsOf(cluster: string): { readonly text: string; readonly width: number } {
  if (cluster.length > MAX_UNITS_IN_CELL) return { text: '�', width: 1 };
  const text = printable(cluster);
  if (isPlain(text)) return { text, width: text.length };
  const width = stringWidth(text);
  // A combining mark without a letter would join the character before it.
  return width === 0 ? { text: `\u25cc${text}`, width: 1 } : { text, width };
}
