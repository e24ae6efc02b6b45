import stringWidth from 'string-width';
import { isPlain, oneLine, oneLinePart } from './visible-text.ts';

/**
 * Measures and cuts text in the columns of a terminal, where some characters take two. All text that these functions
 * return is on one line and visible.
 */

/** More code units per grapheme cluster than this are treated as hostile input. A family of four with skin tones has 19. */
const MAX_UNITS = 20;

/** How many code units to read per column; an emoji of many parts takes more than most. The rest goes to the next row. */
const UNITS_PER_COLUMN = 8;

/**
 * Letters that never combine with the previous one: one column each, or two from U+3000 on. Most text consists of
 * these, and a screen measures thousands of rows.
 */
const SIMPLE =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03ff\u0400-\u0482\u048a-\u052f\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]*$/;
const FIRST_WIDE = 0x3000;

export function widthOf(text: string): number {
  if (isPlain(text)) return text.length;
  if (SIMPLE.test(text)) return takeSimple(text, 0, text.length, Number.POSITIVE_INFINITY).width;
  let width = 0;
  for (const unit of unitsIn(text, 0, text.length)) width += unit.width;
  return width;
}

/** The part of a text that fits into a number of columns. */
export interface TakenColumns {
  readonly text: string;
  readonly width: number;
  /** Where the rest of the text begins. */
  readonly end: number;
  /** Whether not even the first character fits. The text is `…` then. */
  readonly isTooWide?: boolean;
}

/**
 * Takes characters from `start` up to `end` while they fit. It takes at least one if there is any.
 *
 * @param isTaken Whether the text was taken from another one, and so is visible already. A joiner at its end may belong
 * to a letter that is not in it.
 */
export function takeColumns(text: string, start: number, end: number, width: number, isTaken = false): TakenColumns {
  const plainEnd = Math.min(end, start + width);
  const plain = text.slice(start, plainEnd);
  // The next character may be a combining mark that belongs to the last one.
  if (isPlain(text.slice(start, Math.min(end, plainEnd + 1)))) {
    return { text: plain, width: plain.length, end: plainEnd };
  }
  if (SIMPLE.test(text.slice(start, Math.min(end, plainEnd + 1)))) return takeSimple(text, start, plainEnd, width);
  const windowEnd = Math.min(end, start + width * UNITS_PER_COLUMN + MAX_UNITS);
  let shown = '';
  let used = 0;
  let at = start;
  for (const unit of unitsIn(text, start, windowEnd, isTaken)) {
    const next = at + unit.length;
    if (unit.width > width && at === start) return { text: '…', width: 1, end: next, isTooWide: true };
    // The last cluster may continue beyond what was read.
    if (used + unit.width > width || (next === windowEnd && windowEnd < end && at > start)) break;
    shown += unit.text;
    used += unit.width;
    at = next;
  }
  return { text: shown, width: used, end: at };
}

function takeSimple(text: string, start: number, end: number, width: number): TakenColumns {
  let used = 0;
  let at = start;
  for (; at < end; at++) {
    const columns = text.charCodeAt(at) < FIRST_WIDE ? 1 : 2;
    if (used + columns > width && at > start) break;
    used += columns;
  }
  return used > width
    ? { text: '…', width: 1, end: at, isTooWide: true }
    : { text: text.slice(start, at), width: used, end: at };
}

/** The text in exactly `width` columns: cut off with `…` or padded. */
export function fitted(text: string, width: number): string {
  const shown = cutEnd(text, width);
  return shown + ' '.repeat(Math.max(0, width - stringWidth(shown)));
}

/** The beginning of a text in at most `width` columns. */
export function cutEnd(text: string, width: number): string {
  if (width <= 0) return '';
  const whole = takeColumns(text, 0, text.length, width);
  if (whole.end >= text.length) return whole.text;
  const cut = width === 1 ? whole : takeColumns(text, 0, text.length, width - 1);
  return width === 1 || cut.isTooWide ? '…' : `${cut.text}…`;
}

/** The end of a text in at most `width` columns, for paths and names whose end matters most. */
export function cutStart(text: string, width: number): string {
  if (widthOf(text) <= width) return oneLine(text);
  if (width <= 0) return '';
  let shown = '';
  let used = 1;
  const from = Math.max(0, text.length - width * UNITS_PER_COLUMN);
  for (const unit of [...unitsIn(text, from, text.length)].reverse()) {
    if (used + unit.width > width) break;
    shown = unit.text + shown;
    used += unit.width;
  }
  return `…${shown}`;
}

/** A character as it is shown. */
interface ShownUnit extends Pick<TakenColumns, 'text' | 'width'> {
  /** Its number of code units in the text. */
  readonly length: number;
}

let segmenter: Intl.Segmenter | undefined;

/** The grapheme clusters of a text as they are shown. An escape is a unit of its own. */
function* unitsIn(text: string, start: number, end: number, isTaken = false): Generator<ShownUnit> {
  // Made when it is needed, because that takes 9 ms.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let at = start;
  for (const { segment } of segmenter.segment(text.slice(start, end))) {
    const { length } = segment;
    if (length > MAX_UNITS) yield { text: '�', width: 1, length };
    else if (isTaken || oneLinePart(text, at, at + length) === segment) yield unitOf(segment, length);
    else yield* partsOf(text, at, at + length);
    at += length;
  }
}

/** The parts of a cluster that is shown with escapes. */
function* partsOf(text: string, start: number, end: number): Generator<ShownUnit> {
  let seen = '';
  for (let at = start; at < end; ) {
    const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const shown = oneLinePart(text, at, at + char.length);
    if (shown === char) seen += char;
    else {
      if (seen !== '') yield unitOf(seen, seen.length);
      yield { text: shown, width: shown.length, length: char.length };
      seen = '';
    }
    at += char.length;
  }
  if (seen !== '') yield unitOf(seen, seen.length);
}

function unitOf(shown: string, length: number): ShownUnit {
  if (isPlain(shown)) return { text: shown, width: shown.length, length };
  const width = stringWidth(shown);
  // A combining mark without a letter would join the character before it.
  return width === 0 && /^\p{M}/u.test(shown)
    ? { text: `\u25cc${shown}`, width: 1, length }
    : { text: shown, width, length };
}
