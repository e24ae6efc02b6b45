import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectLive } from '../../src/control/control-client.ts';
import { liveSessions, type RunningSession } from '../../src/state/live-sessions.ts';

const MCPREEL = fileURLToPath(new URL('../../dist/mcpreel.cjs', import.meta.url));
const ECHO = fileURLToPath(new URL('../servers/echo.mjs', import.meta.url));

/** Longer than a busy machine takes to forward a line. */
const MAX_WAIT_MS = 8000;

/** Runs the built program between the test and a server that echoes everything. */
export class LiveRecording {
  readonly socket: string;
  readonly token: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #folder: string;
  #out = '';
  #errors = '';
  #lines = 0;
  #onOut: () => void = () => undefined;

  private constructor(
    child: ChildProcessByStdio<Writable, Readable, Readable>,
    folder: string,
    session: RunningSession,
  ) {
    this.#child = child;
    this.#folder = folder;
    this.socket = session.socket ?? '';
    this.token = session.token ?? '';
    child.stdout.on('data', (chunk: Buffer) => {
      this.#out = (this.#out + chunk.toString('latin1')).slice(-4096);
      this.#onOut();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-4096);
    });
    child.stdin.on('error', () => undefined);
    child.once('close', () => this.#onOut());
  }

  static async start(): Promise<LiveRecording> {
    const folder = mkdtempSync(join(tmpdir(), 'mcpreel-fuzz-'));
    const env = { PATH: process.env.PATH ?? '', MCPREEL_HOME: folder };
    const args = [MCPREEL, '--trace-file', join(folder, 'trace.jsonl'), '--', process.execPath, ECHO];
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
    for (let tries = 0; tries < 500; tries++) {
      const [session] = await liveSessions(folder, process.kill);
      if (session?.socket !== undefined) {
        // A session is listed a moment before its socket accepts connections.
        (await connectLive(session, { tries: 500 })).close();
        return new LiveRecording(child, folder, session);
      }
      await delay(20);
    }
    child.kill('SIGKILL');
    throw new Error('No session is running');
  }

  /** Whether a line is echoed. */
  async passes(): Promise<boolean> {
    const line = `{"jsonrpc":"2.0","method":"line ${this.#lines++}"}`;
    const isBack = (): boolean => this.#out.includes(line);
    const came = new Promise<void>((resolve) => {
      this.#onOut = () => (isBack() || this.#child.exitCode !== null) && resolve();
    });
    this.#child.stdin.write(`${line}\n`);
    const waiting = new AbortController();
    await Promise.race([came, delay(MAX_WAIT_MS, undefined, { signal: waiting.signal }).catch(() => undefined)]);
    waiting.abort();
    return isBack();
  }

  /** What the program printed for the user. */
  sent(): string {
    return `exit ${this.#child.exitCode}: ${this.#errors}`;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
