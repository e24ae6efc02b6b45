import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { mcpreel, node } from './programs.mjs';

const PATIENCE_MS = 60_000;
const KEPT = 100_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal commands begin with one.
const COMMANDS = /\u001b\[[\d;?]*[A-Za-z]/g;

/**
 * Runs `mcpreel tui` on a 120×40 terminal that `script` creates: on the running session with this state folder, or on a
 * file.
 */
export class ScreenTerminal {
  #child;
  #ended;
  #shown = '';
  /** Checks for the expected text. */
  #look;
  bytes = 0;

  constructor(home, file = '') {
    const command = `stty cols 120 rows 40 -echo; exec "${node}" "${mcpreel}" tui ${file}`;
    mkdirSync(home, { recursive: true });
    this.#child = spawn('script', ['-qfec', command, '/dev/null'], {
      env: { ...process.env, MCPREEL_HOME: home, SHELL: '/bin/sh', TERM: 'xterm-256color' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.on('data', (chunk) => {
      this.bytes += chunk.length;
      // The measuring client runs in this process too, so do no work unless a caller waits for text.
      if (this.#look === undefined) return;
      this.#shown = (this.#shown + chunk).slice(-KEPT);
      this.#look();
    });
    this.#ended = new Promise((resolve, reject) => this.#child.once('error', reject).once('close', resolve));
  }

  /** Presses a key and discards the earlier output. */
  press(key) {
    this.#shown = '';
    this.#child.stdin.write(key);
  }

  /** Resolves when the program has written this text to the terminal. */
  async shows(text) {
    let late;
    const found = new Promise((resolve, reject) => {
      this.#look = () => this.#shown.replaceAll(COMMANDS, '').includes(text) && resolve();
      const complain = () => reject(new Error(`No ${text} on the screen: ${this.#shown.slice(-500)}`));
      late = setTimeout(complain, PATIENCE_MS);
      this.#look();
    });
    await found.finally(() => clearTimeout(late));
    this.#look = undefined;
  }

  async close() {
    this.#child.stdin.write('q');
    await this.#ended;
  }
}
