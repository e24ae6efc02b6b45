import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import headless from '@xterm/headless';
import { onTestFinished } from 'vitest';
import { MCPREEL } from '../support/mcpreel-process.ts';
import type { Place } from '../support/place.ts';
import { Watch } from '../support/watch.ts';

export interface TuiOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** The bytes that keys send. */
export const KEYS = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  pageUp: '\u001b[5~',
  pageDown: '\u001b[6~',
  home: '\u001b[H',
  end: '\u001b[F',
  backspace: '\u007f',
  f5: '\u001b[15~',
  f6: '\u001b[17~',
  f8: '\u001b[19~',
  f9: '\u001b[20~',
  ctrlS: '\u0013',
  ctrlC: '\u0003',
} as const;

let terminals = 0;

/** Runs mcpreel on a pseudo-terminal made by `script`, with an emulator that renders its screen. */
export class TuiTerminal {
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #emulator: headless.Terminal;
  readonly #watch = new Watch();
  readonly #ttyFile: string;
  #raw = '';

  /** `args` is parsed by a shell. */
  constructor(args: string, place: Place, { columns = 120, rows = 40, env = {} }: TuiOptions = {}) {
    this.#ttyFile = place.path(`tty-${++terminals}`);
    const command = `stty cols ${columns} rows ${rows} -echo; tty > "${this.#ttyFile}"; exec "${process.execPath}" "${MCPREEL}" ${args}`;
    this.#emulator = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 100 });
    this.#child = spawn('script', ['-qfec', command, '/dev/null'], {
      cwd: place.folder,
      env: { ...place.environment(), SHELL: '/bin/sh', TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const child = this.#child;
    const decoder = new StringDecoder();
    child.stdout.on('data', (chunk: Buffer) => {
      this.#raw += decoder.write(chunk);
      this.#emulator.write(chunk, () => this.#watch.changed());
    });
    child.stdin.on('error', () => undefined);
    const closed = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    // The last output must be rendered, too.
    this.ended = closed.then((status) => new Promise((resolve) => this.#emulator.write('', () => resolve(status))));
    onTestFinished(async () => {
      // Quitting is faster than killing `script`, which waits for a while before it gives up.
      child.stdin.write(KEYS.ctrlC);
      const kill = setTimeout(() => child.kill('SIGTERM'), CLEAR_UP_MS);
      await this.ended;
      clearTimeout(kill);
    });
  }

  press(...keys: readonly string[]): void {
    for (const key of keys) this.#child.stdin.write(key);
  }

  /** Resolves with the match of a pattern on the screen, as soon as it appears. */
  async shows(pattern: RegExp, patienceMs: number = PATIENCE_MS): Promise<RegExpExecArray> {
    const found = this.#watch.until(() => pattern.exec(this.screen()) ?? undefined);
    const ended = this.ended.then((status) => {
      throw new Error(`It ended (${status}) without ${pattern}:\n${this.screen()}\n${this.#raw.slice(-2000)}`);
    });
    const late = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => reject(new Error(`No ${pattern} on:\n${this.screen()}`)), patienceMs);
      found.finally(() => clearTimeout(timer)).catch(() => undefined);
    });
    return Promise.race([found, ended, late]);
  }

  /** Resolves when this pattern is no longer on the screen. */
  async hides(pattern: RegExp): Promise<void> {
    await Promise.race([
      this.#watch.until(() => (pattern.test(this.screen()) ? undefined : true)),
      this.ended.then(() => Promise.reject(new Error('It ended.'))),
    ]);
  }

  /** The rows of the screen as text. */
  screen(): string {
    const { active } = this.#emulator.buffer;
    return Array.from({ length: this.#emulator.rows }, (_, y) =>
      active.getLine(active.viewportY + y)?.translateToString(true),
    ).join('\n');
  }

  /** The text right of the middle, with wrapped rows joined. */
  detail(): string {
    const rows = this.screen().split('\n').slice(2, -3);
    return rows.map((row) => row.split('│').at(-2)?.trim() ?? '').join('');
  }

  /** The selected row: the first one in inverse colors. */
  selected(): string {
    const { active } = this.#emulator.buffer;
    for (let y = 0; y < this.#emulator.rows; y++) {
      const line = active.getLine(active.viewportY + y);
      if (line?.getCell(2)?.isInverse()) return line.translateToString(true);
    }
    return '';
  }

  /** Whether any cell has a color. */
  hasColour(): boolean {
    const { active } = this.#emulator.buffer;
    for (let y = 0; y < this.#emulator.rows; y++) {
      const line = active.getLine(active.viewportY + y);
      for (let x = 0; x < this.#emulator.cols; x++) {
        const cell = line?.getCell(x);
        if (cell && (!cell.isFgDefault() || !cell.isBgDefault())) return true;
      }
    }
    return false;
  }

  /** The rows whose frame is out of place: the lines at both edges, and the one in the middle, if there is one. */
  brokenRows(): string[] {
    const { active } = this.#emulator.buffer;
    const { cols, rows } = this.#emulator;
    const at = (x: number, y: number): string =>
      active
        .getLine(active.viewportY + y)
        ?.getCell(x)
        ?.getChars() ?? '';
    const middle =
      cols < 100 ? undefined : Array.from({ length: cols - 2 }, (_, x) => x + 1).find((x) => at(x, 1) === '┬');
    const columns = [0, cols - 1, ...(middle === undefined ? [] : [middle])];
    const body = Array.from({ length: rows - 5 }, (_, i) => i + 2);
    return body
      .filter((y) => columns.some((x) => at(x, y) !== '│'))
      .map((y) => active.getLine(active.viewportY + y)?.translateToString() ?? '');
  }

  /** Resolves when the frame is intact: on a resize, the terminal reports rows after columns. */
  async framed(): Promise<void> {
    await this.#watch.until(() => (this.brokenRows().length === 0 ? true : undefined));
  }

  /** Whether the terminal shows its normal screen buffer again. */
  isRestored(): boolean {
    return this.#emulator.buffer.active.type === 'normal';
  }

  /** Everything that was written to the terminal. */
  get raw(): string {
    return this.#raw;
  }

  /** The terminal settings, as printed by `stty -a`. */
  settings(): string {
    return execFileSync('stty', ['-a', '-F', this.#tty()]).toString();
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows);
    execFileSync('stty', ['-F', this.#tty(), 'cols', String(columns), 'rows', String(rows)]);
  }

  /** The pid of the process at this terminal whose command line matches. */
  pidOf(pattern: RegExp): number {
    const tty = this.#tty().replace('/dev/', '');
    const listed = execFileSync('ps', ['-t', tty, '-o', 'pid=,args=']).toString().split('\n');
    const line = listed.find((candidate) => pattern.test(candidate) && !candidate.includes('sh -c'));
    if (line === undefined) throw new Error(`No ${pattern} among:\n${listed.join('\n')}`);
    return Number.parseInt(line, 10);
  }

  #tty(): string {
    return readFileSync(this.#ttyFile, 'utf8').trim();
  }
}

const PATIENCE_MS = 25_000;
const CLEAR_UP_MS = 3000;
