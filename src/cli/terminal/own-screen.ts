import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { endsWithin } from '../../transport/time-limit.ts';
import type { CommandContext } from '../context.ts';
import type { CaptureFlagValues } from '../flags/capture-flags.ts';
import type { CapturePlan } from '../flags/capture-options.ts';
import { usage } from '../flags/flag-values.ts';

/** What the screen's process gets to notice that the session is over. */
const LEAVE_MS = 1000;

/** The terminal's own page, wrapping and cursor again: what a screen that was killed could not do any more. */
const RESTORE = '\u001b[?2004l\u001b[?7h\u001b[0m\u001b[?25h\u001b[?1049l';

/** Whether a session that is started so has a screen on this terminal. */
export function wantsScreen(values: CaptureFlagValues, { options }: CapturePlan, isTerminal: boolean): boolean {
  const listens = 'listen' in options && options.listen.transport !== 'stdio';
  if (values.tui === true) {
    if (values.headless === true) throw usage('--tui and --headless do not go together', 'Leave one of them out.');
    if (!listens) {
      throw usage('--tui needs clients that connect over HTTP', 'Or open mcpreel tui in another terminal.');
    }
    if (!isTerminal) throw usage('--tui needs a terminal', 'mcpreel hold takes a session in hand from a script.');
  }
  return listens && isTerminal && values.headless !== true;
}

/**
 * The screen of a session that was started on a terminal: a process of its own, which has the terminal until it is left.
 * That ends the session. If it breaks, the session goes on without it.
 */
export class OwnScreen {
  /** Where the server's own words go: they are on the screen while there is one. */
  readonly stderr: Writable;
  readonly #context: CommandContext;
  /** What the server gets of the environment beside ours: a replay on the screen gives it the same. */
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
        if (this.#child === undefined) process.stderr.write(chunk, () => done());
        else done();
      },
    });
  }

  /** Calls back when somebody has left the screen, which may be so already. */
  onLeft(received: () => void): void {
    this.#onLeft = received;
    if (this.#wasLeft) received();
  }

  /** A line for the person. It waits as long as it would go to the middle of the screen. */
  note(line: string): void {
    if (this.#child === undefined) this.#context.direct.note(line);
    else this.#waiting.push(line);
  }

  /** Shows the session of this process. */
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

  /** Resolves when the terminal is free again. The session is over, or has never begun. */
  async close(): Promise<void> {
    if (this.#child !== undefined && !(await endsWithin(this.#ended, LEAVE_MS))) this.#child?.kill('SIGTERM');
    await this.#ended;
  }

  #close(wasLeft: boolean): void {
    this.#child = undefined;
    if (!wasLeft) {
      process.stdout.write(RESTORE);
      if (process.platform !== 'win32') spawnSync('stty', ['sane'], { stdio: 'inherit' });
    }
    for (const line of this.#waiting.splice(0)) this.note(line);
    if (!wasLeft)
      this.note('mcpreel: The screen is gone, the session goes on. mcpreel tui shows it again; Ctrl-C ends it.');
    this.#wasLeft = wasLeft;
    if (wasLeft) this.#onLeft();
  }
}
