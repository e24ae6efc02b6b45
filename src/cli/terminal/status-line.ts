import type { Writable } from 'node:stream';

/** A terminal, as far as a line on it is concerned. */
export interface StatusTerminal extends Pick<Writable, 'write'> {
  /** How many characters fit on a line, where that is known. */
  readonly columns?: number;
}

/** What the line has to get along with. */
export interface StatusLineDeps {
  /** Whether a person may see results as they are written: on the terminal, or in a pager behind a pipe. */
  readonly showsResults: boolean;
  /** Calls back before an interrupt ends the process; returns the means to stop that. */
  readonly onInterrupt: (received: () => void) => () => void;
}

const ERASE_LINE = '\r\u001b[2K';
const USUAL_WIDTH = 80;

/** A line at the bottom of a terminal that says what goes on just now, and makes way for all that is to stay. */
export class StatusLine {
  /** How many results were written where a person may see them. */
  results = 0;
  readonly #terminal: StatusTerminal;
  readonly #deps: StatusLineDeps;
  #shown = '';
  #begunLine = false;
  #stopListening: () => void = () => undefined;

  constructor(terminal: StatusTerminal, deps: StatusLineDeps) {
    this.#terminal = terminal;
    this.#deps = deps;
  }

  /** How many characters fit. Terminals differ in where the cursor goes after the last column, so that stays free. */
  get width(): number {
    return (this.#terminal.columns || USUAL_WIDTH) - 1;
  }

  /** Shows a text in place of the one before. */
  show(text: string): void {
    // What was begun on this line by somebody else would be erased.
    if (text === this.#shown || this.#begunLine) return;
    if (this.#shown === '') this.#stopListening = this.#deps.onInterrupt(() => this.clear());
    this.#shown = text;
    this.#terminal.write(ERASE_LINE + text);
  }

  clear(): void {
    if (this.#shown === '') return;
    this.#shown = '';
    this.#stopListening();
    this.#terminal.write(ERASE_LINE);
  }

  /** To be called before anything else is written. */
  readonly makeWay = (where: 'stdout' | 'stderr', text: string | Uint8Array): void => {
    if (where === 'stdout') {
      if (!this.#deps.showsResults) return;
      this.results++;
    }
    this.clear();
    if (text.length > 0) this.#begunLine = !endsLine(text);
  };
}

function endsLine(text: string | Uint8Array): boolean {
  return typeof text === 'string' ? text.endsWith('\n') : text.at(-1) === 0x0a;
}
