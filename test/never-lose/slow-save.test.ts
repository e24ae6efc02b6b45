import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { parseTrace } from '../support/recordings.ts';
import { echoServer } from '../support/servers.ts';
import { skipOnWindows } from '../support/unless.ts';

const TRACE = 'trace.jsonl';
const MESSAGES = 60;
const READ_BYTES = 4096;
const READ_EVERY_MS = 5;

/** A named pipe whose reader is so slow that saving to it takes many seconds. */
class SlowPipe {
  #bytes = 0;
  readonly #descriptor: number;

  constructor(path: string) {
    execFileSync('mkfifo', [path]);
    this.#descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    onTestFinished(() => closeSync(this.#descriptor));
  }

  /** Reads until the work is done. Resolves with the number of bytes read. */
  async readDuring(work: Promise<unknown>): Promise<number> {
    let isOver = false;
    const ended = work.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      this.#readSome();
      await delay(READ_EVERY_MS);
    }
    await ended;
    return this.#bytes;
  }

  /** Reads as fast as it can, from now on. */
  async readAll(work: Promise<unknown>): Promise<string> {
    let isOver = false;
    const ended = work.finally(() => {
      isOver = true;
    });
    let text = '';
    while (!isOver) {
      text += this.#take();
      await delay(1);
    }
    await ended;
    return text + this.#take();
  }

  #take(): string {
    const buffer = Buffer.alloc(1 << 20);
    try {
      return buffer.toString('latin1', 0, readSync(this.#descriptor, buffer));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      return '';
    }
  }

  #readSome(): void {
    try {
      this.#bytes += readSync(this.#descriptor, Buffer.alloc(READ_BYTES));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

it(
  'aborts a slow save after a signal, and reports the files that it leaves',
  skipOnWindows('Windows has no signals'),
  async () => {
    const place = new CommandPlace();
    const pipe = new SlowPipe(place.path('session.json'));
    const running = place.start(['--trace-file', TRACE, '--session-file', 'session.json', '--', ...echoServer]);
    const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'long', params: 'x'.repeat(50_000) })}\n`;
    for (let i = 0; i < MESSAGES; i++) running.write(line);
    running.write('{"jsonrpc":"2.0","method":"last"}\n');
    await running.sent('"last"');
    const signalledAt = performance.now();
    running.signal('SIGTERM');
    const read = await pipe.readDuring(running.ended);
    const tookMs = performance.now() - signalledAt;
    const { code, stderr } = await running.ended;

    expect(code).toBe(143);
    expect(tookMs).toBeGreaterThan(1400);
    // What can be read in 1.5 s, and the same again for data in flight. It is counted in bytes, because a slow machine
    // reads less per second.
    expect(read).toBeLessThan((3000 / READ_EVERY_MS) * READ_BYTES);
    expect(stderr).toBe(
      'mcpreel: Cannot write session.json: it took too long. ' +
        'Write it with: mcpreel export trace.jsonl -f json -o session.json\n',
    );
    const { messages, end } = parseTrace(place.read(TRACE));
    expect(messages).toHaveLength(2 * MESSAGES + 2);
    expect(end).toMatchObject({ exitCode: 143, signal: 'SIGTERM' });
    expect(await place.run(['export', TRACE, '-f', 'json', '-o', 'made-up.json'])).toMatchObject({ code: 0 });
  },
);

it(
  'waits longer for the save of a listener, which nothing kills soon after a signal',
  skipOnWindows('Windows has no signals'),
  async () => {
    const [place, other] = [new CommandPlace(), new CommandPlace()];
    const pipe = new SlowPipe(place.path('session.json'));
    const listening = ['--listen-transport', 'streamable-http', '--listen-port', '0', '--session-file', 'session.json'];
    const running = place.start(['record', ...listening, '--', ...echoServer]);
    const [, url = ''] = await running.noted(/Listening on (\S+)/);
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'long', params: 'x'.repeat(500_000) });
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`;
    const opened = await fetch(url, { method: 'POST', headers, body: initialize });
    const id = opened.headers.get('Mcp-Session-Id') ?? '';
    await fetch(url, { method: 'POST', headers: { ...headers, 'Mcp-Session-Id': id }, body });
    // A session over stdio gives up after 1.5 s, and tells that so much time has passed.
    const clock = new SlowPipe(other.path('session.json'));
    const stdio = other.start(['--session-file', 'session.json', '--', ...echoServer]);
    stdio.write(`${body}\n`);
    await stdio.sent('"long"');
    running.signal('SIGTERM');
    stdio.signal('SIGTERM');
    await clock.readDuring(stdio.ended);
    const text = await pipe.readAll(running.ended);
    const { code, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(stderr).not.toContain('it took too long');
    // Saved at the signal and again at the end.
    expect(text.slice(text.lastIndexOf('"ended_at"'))).toMatch(/^"ended_at": "\d/);
    expect(text.trimEnd().endsWith('}')).toBe(true);
  },
);
