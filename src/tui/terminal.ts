import type { Interface } from 'node:readline';
import { emitKeypressEvents } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { type KeyPress, keysFrom, type PressedKey } from './model/key.ts';
import type { ScreenSize } from './model/screen-model.ts';

/** Alternate screen, hidden cursor, no line wrapping, bracketed paste. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?2004h\u001b[2J';
/** Reverts ENTER in reverse order. */
const LEAVE = '\u001b[?2004l\u001b[?7h\u001b[0m\u001b[?25h\u001b[?1049l';

/** Bytes that arrive within this time after an escape belong to the same key. */
const ESCAPE_MS = 50;

export interface TerminalListener {
  onKey(key: KeyPress): void;
  onPaste(text: string): void;
  onResize(): void;
}

/** The terminal: raw key input, size and output. */
export class ScreenTerminal {
  readonly #stdin: ReadStream;
  readonly #stdout: WriteStream;
  readonly #listener: TerminalListener;
  #isIn = false;
  #pasted: string | undefined;

  constructor(stdin: ReadStream, stdout: WriteStream, listener: TerminalListener) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#listener = listener;
    // Node reads only `escapeCodeTimeout` from this object.
    emitKeypressEvents(stdin, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
    stdin.on('keypress', (text: string | undefined, pressed: PressedKey) => this.#take(text, pressed));
    stdout.on('resize', () => listener.onResize());
  }

  get size(): ScreenSize {
    // Some terminals report 0 columns or rows at first.
    return { columns: this.#stdout.columns || 80, rows: this.#stdout.rows || 24 };
  }

  /** Whether earlier output is still buffered, so that more would only pile up. */
  get isBehind(): boolean {
    return this.#stdout.writableNeedDrain;
  }

  onCaughtUp(then: () => void): void {
    this.#stdout.once('drain', then);
  }

  enter(): void {
    if (this.#isIn) return;
    this.#isIn = true;
    this.#stdin.setRawMode(true);
    this.#stdin.resume();
    this.#stdout.write(ENTER);
  }

  /** Restores the terminal. */
  leave(): void {
    if (!this.#isIn) return;
    this.#isIn = false;
    this.#stdout.write(LEAVE);
    this.#stdin.setRawMode(false);
    this.#stdin.pause();
  }

  write(text: string): void {
    if (this.#isIn) this.#stdout.write(text);
  }

  #take(text: string | undefined, pressed: PressedKey): void {
    if (!this.#isIn) return;
    if (pressed.name === 'paste-start') this.#pasted = '';
    else if (pressed.name === 'paste-end') {
      this.#listener.onPaste(this.#pasted ?? '');
      this.#pasted = undefined;
    } else if (this.#pasted !== undefined) this.#pasted += text ?? pressed.sequence ?? '';
    else for (const key of keysFrom(text, pressed)) this.#listener.onKey(key);
  }
}
