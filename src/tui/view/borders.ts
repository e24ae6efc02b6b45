import { fitted, widthOf } from '../../present/columns.ts';
import type { Palette, Style } from './styled-row.ts';

/** A title in a horizontal border, and whether the panel below has the focus. */
export interface BorderTitle {
  readonly text: string;
  readonly width: number;
  readonly hasFocus?: boolean;
  readonly style?: Style;
}

interface BorderCorners {
  readonly left: string;
  readonly middle: string;
  readonly right: string;
}

export const TOP: BorderCorners = { left: '┌', middle: '┬', right: '┐' };
export const CROSSING: BorderCorners = { left: '├', middle: '┼', right: '┤' };
export const BOTTOM: BorderCorners = { left: '└', middle: '─', right: '┘' };

/** A horizontal border over panels of these widths, each with its title. */
export function border(
  { left, middle, right }: BorderCorners,
  titles: readonly BorderTitle[],
  palette: Palette,
): string {
  const parts = titles.map(({ text, width, hasFocus = false, style }) => {
    const shown = text === '' ? '' : fitted(` ${text} `, Math.min(width, widthOf(` ${text} `)));
    const line = '─'.repeat(Math.max(0, width - widthOf(shown)));
    return palette.paint(shown, style ?? (hasFocus ? 'bold' : 'plain'), false) + palette.paint(line, 'dim', false);
  });
  const dim = (text: string): string => palette.paint(text, 'dim', false);
  return dim(left) + parts.join(dim(middle)) + dim(right);
}

export function side(height: number, palette: Palette): string[] {
  return Array.from({ length: height }, () => palette.paint('│', 'dim', false));
}
