import { type Palette, styledRow } from './styled-row.ts';

/** All keys, as shown in the help. */
const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['↑ ↓ j k', 'up and down'],
  ['PgUp PgDn', 'page up, page down'],
  ['g G', 'first message; last message, and follow new ones'],
  ['Tab', 'next panel'],
  ['Enter', 'open the message; in a message, fold or unfold'],
  ['← →', 'in a message: fold, unfold'],
  ['/', 'filter messages; in a message, search'],
  ['Esc', 'back: close the message, then clear the filter'],
  ['i', 'intercept or pass through'],
  ['f F5', 'forward the held message'],
  ['m F6', 'edit the held message; Ctrl+S sends, Esc cancels'],
  ['d F8', 'drop the held message'],
  ['a', 'answer the held request yourself'],
  ['e', 'open it in $EDITOR'],
  ['n', 'next held message'],
  ['F', 'forward all held messages'],
  ['r F9', 'replay the request and compare the responses'],
  ['x', 'go to the matching request or response'],
  ['y', 'copy the message'],
  ['s', 'save the session file'],
  ['q', 'quit; where this command records, end the session'],
];

const KEYS_WIDTH = 11;
const COLUMN_WIDTH = 56;

/** The keys and what they do, in two columns if there is room, starting at row `top`. */
export function helpRows(width: number, height: number, palette: Palette, top: number): string[] {
  const columns = KEYS.length > height && width >= 2 * COLUMN_WIDTH ? 2 : 1;
  const perColumn = Math.ceil(KEYS.length / columns);
  const columnWidth = Math.floor(width / columns);
  const first = Math.max(0, Math.min(top, perColumn - height));
  return Array.from({ length: height }, (_, row) => {
    const cells = Array.from({ length: columns }, (_unused, column) => {
      const at = first + row;
      const entry = at < perColumn ? KEYS[column * perColumn + at] : undefined;
      const [keys = '', meaning = ''] = entry ?? [];
      return styledRow(
        [
          { text: ` ${keys.padEnd(KEYS_WIDTH)}`, style: 'bold' },
          { text: meaning, style: 'plain' },
        ],
        columnWidth,
        palette,
      );
    });
    return cells.join('') + ' '.repeat(width - columns * columnWidth);
  });
}
