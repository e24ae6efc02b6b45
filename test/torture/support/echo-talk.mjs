// A stdio client of an echo server, so that the forwarded messages are known exactly.
import { readFileSync } from 'node:fs';
import { Reel, server } from './reel.mjs';

/** The message with this number. */
export function messageText(number, filling = '') {
  const more = filling === '' ? '' : `,"filling":"${filling}"`;
  return `{"jsonrpc":"2.0","method":"notifications/said","params":{"number":${number}${more}}}`;
}

export class EchoTalk {
  reel;
  /** The round-trip time of each message, in ms. */
  times = [];
  /** Whether everything that came back equals what was sent. */
  isFaithful = true;
  #count = 0;
  #lines = 0;
  #rest = '';
  #expected = [];
  #onLine = () => {};

  constructor(folder, flags, { command = [process.execPath, server('echo.mjs')], ...options } = {}) {
    this.reel = new Reel(folder, [...flags, '--', ...command], options);
    this.reel.child.stdout.setEncoding('utf8');
    this.reel.child.stdout.on('data', (chunk) => this.#take(chunk));
  }

  /** The number of messages that passed, each counted in both directions. */
  get passed() {
    return 2 * this.#lines;
  }

  /** Sends this many more messages. Each is echoed before the next is sent, so that their order is known. */
  async say(count, filling) {
    for (let i = 0; i < count; i++) {
      const startedAt = performance.now();
      await this.burst(1, filling);
      this.times.push(performance.now() - startedAt);
    }
  }

  /** Sends this many messages at once. */
  async burst(count, filling) {
    const lines = Array.from({ length: count }, () => messageText(this.#count++, filling));
    this.#expected.push(...lines);
    const back = new Promise((resolve, reject) => {
      const wanted = this.#count;
      this.#onLine = () => {
        if (this.#lines === wanted) resolve();
      };
      this.reel.ended.then(({ stderr }) => reject(new Error(`It ended in the middle: ${stderr}`)), reject);
    });
    this.reel.child.stdin.write(`${lines.join('\n')}\n`);
    await back;
  }

  end() {
    this.reel.child.stdin.end();
    return this.reel.ended;
  }

  #take(chunk) {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop();
    for (const line of lines) {
      if (line !== this.#expected.shift()) this.isFaithful = false;
      this.#lines++;
      this.#onLine();
    }
  }
}

/**
 * Reads the trace of a session in which each message was echoed before the next. Every line must be unchanged and at
 * its place, with gaps for missing messages.
 */
export function keptOf(trace) {
  const kept = { metas: [], gaps: [], messages: 0, accounted: 0, tornLines: 0, end: undefined, faults: [] };
  for (const text of trace.split('\n').filter((line) => line !== '')) {
    const line = parse(text);
    if (line === undefined) kept.tornLines++;
    else if (line.type === 'meta') kept.metas.push(line);
    else if (line.type === 'end') kept.end = line;
    else if (line.kind === 'mcpreel.gap') {
      kept.gaps.push(line.raw.missed);
      kept.accounted += line.raw.missed;
    } else if (line.type === undefined) {
      const dir = kept.accounted % 2 === 0 ? 'in' : 'out';
      const isRight = line.dir === dir && text.endsWith(`,"raw":${messageText(kept.accounted >> 1)}}`);
      if (!isRight) kept.faults.push(`in the place of message ${kept.accounted} stands ${text.slice(0, 300)}`);
      kept.messages++;
      kept.accounted++;
    }
  }
  return kept;
}

export const readKept = (path) => keptOf(readFileSync(path, 'utf8'));

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
