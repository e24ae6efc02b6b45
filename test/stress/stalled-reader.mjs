// What happens when a client, or a server, does not read for a while: mcpreel must wait as a pipe does, not collect.
// Run by itself with a size it tells what was measured: node test/stress/stalled-reader.mjs 2GB
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { longLines } from '../servers/long-lines.mjs';

const MCPREEL = fileURLToPath(new URL('../../dist/mcpreel.cjs', import.meta.url));
const LINE_FEED = 0x0a;

/** More than this, and something is being collected. An idle mcpreel has about 50 MB. */
export const MOST_MEMORY = 150e6;

/** The server says much, and the client reads nothing until the server can say no more. */
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

/** The client says much, and the server reads nothing until the client can say no more. */
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
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function startReel(folder, server, args, maxMessage) {
  const path = fileURLToPath(new URL(`../servers/${server}`, import.meta.url));
  const flags = ['--trace-file', join(folder, 'trace.jsonl'), '--max-message', maxMessage];
  return spawn(process.execPath, [MCPREEL, ...flags, '--', process.execPath, path, ...args.map(String)], {
    cwd: folder,
  });
}

/** Asks for a number until it has been the same for half a second: nothing moves any more. */
async function settled(ask) {
  let last = -1;
  for (let same = 0; same < 25; ) {
    const now = await ask();
    same = now === last ? same + 1 : 0;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return last;
}

/** What a process holds of the machine's memory, in bytes; `undefined` where the system does not tell. */
function memoryOf(id, field) {
  try {
    return (
      Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]) * 1000
    );
  } catch {
    return undefined;
  }
}

/** How many bytes there were, and their hash. */
class Total {
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

  /** Takes the next bytes, and returns the last line that they completed. */
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

/** The entries of the trace. */
function readTrace(folder) {
  return readFileSync(join(folder, 'trace.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** What is wrong with what was measured, in words; nothing if all is well. */
function* complaintsAbout(
  { status, stalledMemory, peakMemory, takenWhileStalled, sent, received, lines, trace },
  bytes,
) {
  if (status !== 0) yield `it ended with ${status}`;
  if (peakMemory > MOST_MEMORY || stalledMemory > MOST_MEMORY) yield 'it collected what nobody read';
  if (takenWhileStalled > bytes / 2) yield 'it did not wait for the reader';
  if (JSON.stringify(sent) !== JSON.stringify(received)) yield 'bytes were changed or lost';
  const long = lines.filter(({ text }) => text === undefined).map(({ size, sha256 }) => `${size} ${sha256}`);
  const gaps = trace.filter(({ kind }) => kind === 'mcpreel.gap').map(({ raw }) => `${raw.size} ${raw.sha256}`);
  if (long.join() !== gaps.join()) yield `${gaps.length} of ${long.length} long lines are recorded as they were`;
}

async function main([size = '200MB']) {
  const units = { kB: 1e3, MB: 1e6, GB: 1e9 };
  const [, number, unit] = /^(\d+)(kB|MB|GB)$/.exec(size) ?? [];
  if (unit === undefined) throw new Error(`No size: ${size}. Write it as 200MB or 2GB.`);
  const bytes = number * units[unit];
  for (const [who, stall] of Object.entries({ client: stallClient, server: stallServer })) {
    const start = performance.now();
    const measured = await stall({ bytes, lineBytes: 8e6, maxMessage: '1M' });
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const [stalled, peak, taken] = ['stalledMemory', 'peakMemory', 'takenWhileStalled'].map((key) =>
      ((measured[key] ?? Number.NaN) / 1e6).toFixed(1),
    );
    process.stdout.write(
      `${who} stalled: ${size} in ${seconds} s; taken meanwhile ${taken} MB; memory then ${stalled} MB, at most ${peak} MB\n`,
    );
    for (const complaint of complaintsAbout(measured, bytes)) {
      process.stdout.write(`${who} stalled: WRONG: ${complaint}\n`);
      process.exitCode = 1;
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
