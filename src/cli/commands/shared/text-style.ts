import type { ResultTerminal } from '../../context.ts';

/** How wide and colorful printed text may be. */

export type TextColor = 'red' | 'yellow' | 'green' | 'grey';

export interface TableStyle {
  /** The number of columns per line. */
  readonly width: number;
  readonly hasColour: boolean;
}

const USUAL_WIDTH = 80;

/** As wide as the terminal; unlimited if the output is not a terminal. */
export function tableStyle({ isTerminal, columns, hasColour }: ResultTerminal): TableStyle {
  if (!isTerminal) return { width: Number.POSITIVE_INFINITY, hasColour: false };
  return { width: columns || USUAL_WIDTH, hasColour };
}

const CODES: Readonly<Record<TextColor, string>> = { red: '31', yellow: '33', green: '32', grey: '90' };

/** Text in color, if the terminal supports it. */
export function inColour(
  text: string,
  colour: TextColor | undefined,
  { hasColour }: Pick<TableStyle, 'hasColour'>,
): string {
  return colour === undefined || !hasColour || text === '' ? text : `\u001b[${CODES[colour]}m${text}\u001b[39m`;
}
