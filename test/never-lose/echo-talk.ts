import { expect } from 'vitest';
import type { McpreelProcess, Outcome } from '../support/mcpreel-process.ts';
import type { Place } from '../support/place.ts';
import { echoServer } from '../support/servers.ts';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { messageText } from '../torture/support/echo-talk.mjs';

/** A client that talks through mcpreel to an echo server, one message at a time. */
export class EchoTalk {
  readonly #running: McpreelProcess;
  #sent = '';
  #count = 0;

  constructor(
    place: Place,
    flags: readonly string[],
    server: readonly string[] = echoServer,
    env: Readonly<Record<string, string>> = {},
    /** With this default, what was echoed is recorded, so that a test knows when the disk is written to. */
    safety: readonly string[] = ['--no-journal'],
  ) {
    this.#running = place.start([...safety, ...flags, '--', ...server], env);
  }

  /** The number of messages that passed, each counted in both directions. */
  get passed(): number {
    return 2 * this.#count;
  }

  /** Sends this many more messages. Each is echoed before the next is sent, so that their order is known. */
  async say(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const line = `${messageText(this.#count++)}\n`;
      this.#sent += line;
      this.#running.write(line);
      await this.#running.sent(line);
    }
  }

  /** Sends this many messages at once. */
  async burst(count: number): Promise<void> {
    const lines = Array.from({ length: count }, () => `${messageText(this.#count++)}\n`).join('');
    this.#sent += lines;
    this.#running.write(lines);
    await this.#running.sent(lines);
  }

  signal(name: NodeJS.Signals): void {
    this.#running.signal(name);
  }

  /** The result when mcpreel ends by itself. */
  get ended(): Promise<Outcome> {
    return this.#running.ended;
  }

  /** Ends the session, and expects every byte to have been echoed. */
  async end(): Promise<Outcome> {
    this.#running.end();
    const outcome = await this.#running.ended;
    expect(outcome.stdout).toBe(this.#sent);
    return outcome;
  }
}
