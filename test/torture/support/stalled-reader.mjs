// Stops a client or a server from reading for a while: mcpreel must apply backpressure as a pipe does, and not buffer.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { longLines } from '../../servers/long-lines.mjs';
import { mcpreel, memoryOf, server as serverNamed, startNode } from './reel.mjs';
import { undoLater } from './undo.mjs';

const LINE_FEED = 0x0a;

/** More memory than this means that mcpreel buffers. An idle mcpreel uses about 50 MB. */
export const MAX_MEMORY = 150e6;

/** The server writes a lot, and the client reads nothing until the server's writes block. */
export async function stallClient({ bytes, lineBytes, maxMessage }) {
  return inFolder(async (folder) => {
    const child = startReel(folder, 'producing.mjs', [bytes, lineBytes], maxMessage);
    const ended = once(child, 'close');
    let answers = '';
    child.stderr.on('data', (chunk) => {
      answers += chunk;
    });
    child.stdout.pause();
    const takenWhileStalled = await settled(async () => {
      const before = answers.length;
      child.stdin.write('{"jsonrpc":"2.0","method":"how far?"}\n');
      while (!answers.slice(before).includes('\n')) await once(child.stderr, 'data');
      return Number(answers.slice(before));
    });
    const stalledMemory = memoryOf(child.pid, 'VmRSS');

    const lines = new LineHashes();
    const heard = new Total();
    for await (const chunk of child.stdout) {
      heard.push(chunk);
      if (lines.push(chunk) === '{"jsonrpc":"2.0","method":"last"}') break;
    }
    const told = new Total();
    for (const piece of longLines(bytes, lineBytes)) told.push(piece);
    const peakMemory = memoryOf(child.pid, 'VmHWM');
    child.stdin.end();
    const [status] = await ended;
    const [sent, received] = [told.all(), heard.all()];
    const measured = { status, takenWhileStalled, stalledMemory, peakMemory, sent, received };
    return { ...measured, lines: lines.all, trace: readTrace(folder) };
  });
}

/** The client writes a lot, and the server reads nothing until the client's writes block. */
export async function stallServer({ bytes, lineBytes, maxMessage }) {
  return inFolder(async (folder) => {
    const child = startReel(folder, 'swallowing.mjs', [], maxMessage);
    const ended = once(child, 'close');
    await once(child.stdout, 'data');
    const lines = new LineHashes();
    const told = new Total();
    let taken = 0;
    const said = (async () => {
      for (const piece of longLines(bytes, lineBytes)) {
        lines.push(piece);
        told.push(piece);
        if (!child.stdin.write(piece)) await once(child.stdin, 'drain');
        taken += piece.length;
      }
      child.stdin.end();
    })();
    const takenWhileStalled = await settled(async () => taken);
    const stalledMemory = memoryOf(child.pid, 'VmRSS');

    child.kill('SIGHUP');
    const [report] = await Promise.all([once(child.stdout, 'data'), said]);
    const peakMemory = memoryOf(child.pid, 'VmHWM');
    child.kill('SIGTERM');
    const [status] = await ended;
    const measured = {
      status,
      takenWhileStalled,
      stalledMemory,
      peakMemory,
      sent: told.all(),
      received: JSON.parse(report),
    };
    return { ...measured, lines: lines.all, trace: readTrace(folder) };
  });
}

async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'mcpreel-stalled-'));
  const remove = undoLater(() => rmSync(folder, { recursive: true, force: true }));
  try {
    return await work(folder);
  } finally {
    remove();
  }
}

function startReel(folder, server, args, maxMessage) {
  const flags = ['--trace-file', join(folder, 'trace.jsonl'), '--max-message', maxMessage];
  const command = [process.execPath, serverNamed(server), ...args.map(String)];
  const env = { MCPREEL_HOME: join(folder, 'home') };
  return startNode([mcpreel(), ...flags, '--', ...command], { cwd: folder, env });
}

/** Polls a number until it has been constant for 0.5 s. */
export async function settled(ask) {
  let last = -1;
  for (let same = 0; same < 25; ) {
    const now = await ask();
    same = now === last ? same + 1 : 0;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return last;
}

/** A byte count and a hash. */
export class Total {
  #bytes = 0;
  #hash = createHash('sha256');

  push(chunk) {
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
  }

  all() {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** The lines of a stream: the text of short ones, the size and hash of long ones. */
class LineHashes {
  all = [];
  #parts = [];
  #size = 0;
  #hash = createHash('sha256');

  /** Adds the next bytes, and returns the last line that they completed. */
  push(chunk) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#take(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#take(chunk.subarray(start));
    return this.all.at(-1)?.text;
  }

  #take(bytes) {
    this.#size += bytes.length;
    this.#hash.update(bytes);
    if (this.#size <= 100) this.#parts.push(Buffer.from(bytes));
  }

  #finish() {
    const text = this.#size <= 100 ? Buffer.concat(this.#parts).toString() : undefined;
    this.all.push({ size: this.#size, sha256: this.#hash.digest('hex'), text });
    this.#parts = [];
    this.#size = 0;
    this.#hash = createHash('sha256');
  }
}

function readTrace(folder) {
  return readFileSync(join(folder, 'trace.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
