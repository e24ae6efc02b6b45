import { widthOf } from '../../../present/columns.ts';
import type { TableStyle } from '../shared/text-style.ts';

/** At least this many characters of a value are shown, however narrow the terminal is. */
const SHORTEST = 20;
/** The indentation of continuation lines. */
const BELOW = '      ';

/** The tone of a text, which determines its color. */
type LineTone = '+' | '-' | '~' | 'strong' | 'alarm';
const CODES: Readonly<Record<LineTone, readonly [number, number]>> = {
  '+': [32, 39],
  '-': [31, 39],
  '~': [33, 39],
  strong: [1, 22],
  alarm: [31, 39],
};

/** A part of a line that is not wrapped. */
export interface DiffPart {
  readonly text: string;
  readonly tone?: LineTone;
}

/** Collects lines, in color if the terminal supports it. */
export class DiffPrinter {
  text = '';
  readonly #style: TableStyle;

  constructor(style: TableStyle) {
    this.#style = style;
  }

  line(text: string): void {
    this.text += `${text}\n`;
  }

  title(text: string): void {
    this.line(`\n${this.toned('strong', text)}`);
  }

  toned(tone: LineTone, text: string): string {
    const [on, off] = CODES[tone];
    return this.#style.hasColour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  }

  /** Prints parts on one line if they fit, otherwise on several. Empty parts are omitted. */
  parts(indent: string, parts: readonly DiffPart[]): void {
    let margin = indent;
    let line = '';
    let length = margin.length - 1;
    for (const { text, tone } of parts.filter((part) => part.text !== '')) {
      const needed = widthOf(text) + 1;
      if (line !== '' && length + needed > this.#style.width) {
        this.line(line);
        line = '';
        margin = BELOW;
        length = margin.length - 1;
      }
      line += (line === '' ? margin : ' ') + (tone === undefined ? text : this.toned(tone, text));
      length += needed;
    }
    this.line(line);
  }

  /** How many characters of a value fit after `before` characters. */
  roomBehind(before: number): number {
    return Math.max(SHORTEST, this.#style.width - before);
  }
}
