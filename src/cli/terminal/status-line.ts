import type { Writable } from 'node:stream';

/** The parts of a terminal that a status line needs. */
export interface StatusTerminal extends Pick<Writable, 'write'> {
  /** The number of characters per line, if known. */
  readonly columns?: number;
}

/** The dependencies of a status line. */
export interface StatusLineDeps {
  /** Whether a user may see results as they are written, on the terminal or in a pager behind a pipe. */
  readonly showsResults: boolean;
  /** Registers a callback to run before an interrupt ends the process; returns a function that removes it. */
  readonly onInterrupt: (received: () => void) => () => void;
}

const ERASE_LINE = '\r\u001b[2K';
const USUAL_WIDTH = 80;

/** A status line at the bottom of the terminal, which is erased before any other output. */
export class StatusLine {
  /** The number of results written where a user may see them. */
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

  /**
   * The number of characters that fit. The last column stays free, because terminals differ in where the cursor goes
   * after it.
   */
  get width(): number {
    return (this.#terminal.columns || USUAL_WIDTH) - 1;
  }

  /** Replaces the text of the line. */
  show(text: string): void {
    // An unfinished line of other output would be erased.
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

  /** Call this before anything else is written. */
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
