import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { endsWithin } from '../../transport/time-limit.ts';
import type { CommandContext } from '../context.ts';
import type { CaptureFlagValues } from '../flags/capture-flags.ts';
import type { CapturePlan } from '../flags/capture-options.ts';
import { usage } from '../flags/flag-values.ts';

/** How long the screen's process has to notice that the session has ended. */
const LEAVE_MS = 1000;

/** Restores the terminal's main screen, wrapping and cursor after the screen's process was killed. */
const RESTORE = '\u001b[?2004l\u001b[?7h\u001b[0m\u001b[?25h\u001b[?1049l';

/** Whether a session started with these flags gets a screen on this terminal. */
export function wantsScreen(values: CaptureFlagValues, { options }: CapturePlan, isTerminal: boolean): boolean {
  const listens = 'listen' in options && options.listen.transport !== 'stdio';
  if (values.tui === true) {
    if (values.headless === true) throw usage('--tui and --headless cannot be used together', 'Remove one of them.');
    if (!listens) {
      throw usage('--tui needs clients that connect over HTTP', 'Or run mcpreel tui in another terminal.');
    }
    if (!isTerminal) throw usage('--tui needs a terminal', 'To control a session from a script: mcpreel hold');
  }
  return listens && isTerminal && values.headless !== true;
}

/**
 * The screen of a session that was started on a terminal. It is a separate process that uses the terminal until the
 * user leaves it, which ends the session. If it crashes, the session continues without it.
 */
export class OwnScreen {
  /** The destination of the server's stderr, which the screen shows while it is open. */
  readonly stderr: Writable;
  readonly #context: CommandContext;
  /** The variables that the server gets in addition to mcpreel's own. A replay on the screen passes the same ones. */
  readonly #given: Readonly<Record<string, string>>;
  readonly #waiting: string[] = [];
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #onLeft: () => void = () => undefined;
  #wasLeft = false;

  constructor(context: CommandContext, { options }: CapturePlan) {
    this.#context = context;
    this.#given = 'target' in options && 'env' in options.target ? options.target.env : {};
    this.stderr = new Writable({
      write: (chunk: Uint8Array, _encoding, done) => {
        if (this.#child === undefined) context.ownStreams().stderr.write(chunk, () => done());
        else done();
      },
    });
  }

  /** Calls `received` when the user has left the screen, at once if that was before. */
  onLeft(received: () => void): void {
    this.#onLeft = received;
    if (this.#wasLeft) received();
  }

  /** Prints a line for the user. While the screen is open, the line is kept until the screen closes. */
  note(line: string): void {
    if (this.#child === undefined) this.#context.direct.note(line);
    else this.#waiting.push(line);
  }

  /** Opens the screen for the session of this process. */
  open(listening: string): void {
    const program = join(this.#context.programFolder, 'mcpreel.cjs');
    const args = [program, 'tui', '--of-process', String(process.pid), '--listening', listening];
    const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...this.#given } });
    this.#child = child;
    this.#ended = once(child, 'exit').then(
      ([code]) => this.#close(code === 0),
      () => this.#close(false),
    );
  }

  /** Resolves when the terminal is free again. Call it when the session has ended, or never began. */
  async close(): Promise<void> {
    if (this.#child !== undefined && !(await endsWithin(this.#ended, LEAVE_MS))) this.#child?.kill('SIGTERM');
    await this.#ended;
  }

  #close(wasLeft: boolean): void {
    this.#child = undefined;
    if (!wasLeft) {
      this.#context.ownStreams().stdout.write(RESTORE);
      if (process.platform !== 'win32') spawnSync('stty', ['sane'], { stdio: 'inherit' });
    }
    for (const line of this.#waiting.splice(0)) this.note(line);
    if (!wasLeft)
      this.note('mcpreel: The terminal UI was closed; the session is still running. Reopen: mcpreel tui. Stop: Ctrl-C');
    this.#wasLeft = wasLeft;
    if (wasLeft) this.#onLeft();
  }
}
