import { type Palette, styledRow } from './styled-row.ts';

/** All keys, as shown in the help. */
const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['↑ ↓ j k', 'up and down'],
  ['PgUp PgDn', 'a page up and down'],
  ['g G', 'to the first, and to the last and follow it'],
  ['Tab', 'to the next panel'],
  ['Enter', 'open the message; in it, fold and unfold'],
  ['← →', 'in a message: fold, unfold'],
  ['/', 'filter the list; in a message, search'],
  ['Esc', 'back, clear the filter, cancel an edit'],
  ['i', 'intercept, or let everything pass'],
  ['f F5', 'forward the held message'],
  ['m F6', 'edit it; Ctrl+S sends, Esc cancels'],
  ['d F8', 'drop it'],
  ['a', 'answer it yourself'],
  ['e', 'open it in $EDITOR'],
  ['n', 'to the next held message'],
  ['F', 'forward all that is held'],
  ['r F9', 'send the request again, and compare the answers'],
  ['x', 'to the other half: request or response'],
  ['y', 'copy the message'],
  ['s', 'save the session file'],
  ['q', 'quit'],
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
