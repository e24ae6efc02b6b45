import { type TakenColumns, takeColumns } from '../../present/columns.ts';

/** The meaning of a piece of text, which determines its look. */
export type Style =
  | 'plain'
  | 'bold'
  | 'dim'
  | 'error'
  | 'ok'
  | 'waiting'
  | 'accent'
  | 'key'
  | 'string'
  | 'number'
  | 'found'
  | 'cursor';

export interface StyledSpan {
  readonly text: string;
  readonly style: Style;
  /** Whether the text is a piece of a longer one that `takeColumns` has made visible. */
  readonly isTaken?: boolean;
}

/** How styles look on this terminal. */
export interface Palette {
  paint(text: string, style: Style, isSelected: boolean): string;
}

/**
 * Uses the terminal's own colors, except yellow, which is too faint on a light background. Without colors, styles use
 * bold, dim and inverse.
 */
const COLOUR_CODES: Readonly<Record<Style, string>> = {
  plain: '',
  bold: '1',
  dim: '2',
  error: '31',
  ok: '32',
  waiting: '35',
  accent: '34',
  key: '36',
  string: '32',
  number: '35',
  found: '1;7',
  cursor: '7',
};

const PLAIN_CODES: Readonly<Record<Style, string>> = {
  plain: '',
  bold: '1',
  dim: '2',
  error: '1',
  ok: '',
  waiting: '1',
  accent: '1',
  key: '',
  string: '',
  number: '',
  found: '1;7',
  cursor: '7',
};

export function paletteFor(hasColour: boolean): Palette {
  const codes = hasColour ? COLOUR_CODES : PLAIN_CODES;
  return {
    paint(text, style, isSelected) {
      const code = [codes[style], isSelected ? '7' : ''].filter((part) => part !== '').join(';');
      return code === '' || text === '' ? text : `\u001b[${code}m${text}\u001b[0m`;
    },
  };
}

export interface RowOptions {
  /** Whether the row is selected. */
  readonly isSelected?: boolean;
  /** Shown at the right end of the row, with priority over the rest. */
  readonly right?: readonly StyledSpan[];
}

/** A row of exactly `width` cells. Text that does not fit is cut off. */
export function styledRow(
  spans: readonly StyledSpan[],
  width: number,
  palette: Palette,
  { isSelected = false, right = [] }: RowOptions = {},
): string {
  const ending = piecesIn(right, width);
  const rest = width - ending.width;
  const body = piecesIn(spans, Math.max(0, ending.width > 0 ? rest - 1 : rest));
  const gap: StyledSpan = { text: ' '.repeat(Math.max(0, rest - body.width)), style: 'plain' };
  return [...body.pieces, gap, ...ending.pieces]
    .map(({ text, style }) => palette.paint(text, style, isSelected))
    .join('');
}

function piecesIn(
  spans: readonly StyledSpan[],
  width: number,
): { readonly pieces: readonly StyledSpan[]; readonly width: number } {
  const pieces: StyledSpan[] = [];
  // A joiner at the end of a span may belong to a letter in the next one.
  const whole = spans.map(({ text }) => text).join('');
  let used = 0;
  let at = 0;
  for (const { text, style, isTaken } of spans) {
    const [start, end] = [at, at + text.length];
    at = end;
    if (text === '' || used >= width) continue;
    const take = (room: number): TakenColumns => takeColumns(whole, start, end, room, isTaken);
    const taken = take(width - used);
    // A wide character may not fit into the last cell.
    if (taken.width > width - used) break;
    const isCut = taken.isTooWide || taken.end < end;
    pieces.push({ text: isCut ? withEllipsis(take, width - used) : taken.text, style });
    used += isCut ? width - used : taken.width;
  }
  return { pieces, width: used };
}

function withEllipsis(take: (room: number) => TakenColumns, width: number): string {
  const taken = take(width - 1);
  const text = width <= 1 || taken.isTooWide ? '' : taken.text;
  return `${text}…${' '.repeat(Math.max(0, width - 1 - (text === '' ? 0 : taken.width)))}`;
}
