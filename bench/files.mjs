// Reading and converting a large trace, as ratios to `jq -c .` on the same file in the same run.
//
//   npm run bench:files                 a million messages, three interleaved rounds
//   node bench/files.mjs 100000 1       fewer messages, one round
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTrace } from './sample-trace.mjs';

const messages = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 3);
const root = join(import.meta.dirname, '..');
const bin = join(root, 'dist', 'mcpreel.js');
const folder = mkdtempSync(join(tmpdir(), 'mcpreel-bench-'));

const limits = {
  'read (readSession)': { atLeast: 4, mostMegabytes: 200 },
  'convert (export -f json)': { atLeast: 3, mostMegabytes: 200 },
  'inspect --json': { mostMegabytes: 200 },
};

try {
  const trace = join(folder, 'trace.jsonl');
  writeTrace(trace, messages);
  console.log(`${messages} messages, ${(statSync(trace).size / 1e6).toFixed(0)} MB, medians of ${rounds} rounds`);

  const contestants = {
    'jq -c .': ['jq', '-c', '.', trace],
    'read (readSession)': [process.execPath, join(import.meta.dirname, 'count-messages.mjs'), trace],
    'convert (export -f json)': [process.execPath, bin, 'export', trace, '-f', 'json'],
    'inspect --json': [process.execPath, bin, 'inspect', '--json', trace],
  };
  const runs = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, command] of Object.entries(contestants)) runs[name].push(await measure(command));
  }
  report(runs);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a command with its output thrown away; tells how long it took and the most memory it held. */
async function measure([program, ...args]) {
  const memoryFile = join(folder, 'memory');
  const nothing = openSync('/dev/null', 'w');
  const env = {
    ...process.env,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'report-memory.mjs')}`,
    BENCH_MEMORY_FILE: memoryFile,
  };
  const started = performance.now();
  const child = spawn(program, args, { env, stdio: ['ignore', nothing, 'inherit'] });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  const ms = performance.now() - started;
  closeSync(nothing);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
  return { ms, megabytes: program === 'jq' ? undefined : Number(readFileSync(memoryFile, 'utf8')) / 1000 };
}

function report(runs) {
  const baseline = median(runs['jq -c .'].map(({ ms }) => ms));
  let missed = 0;
  for (const [name, measured] of Object.entries(runs)) {
    const ratio = baseline / median(measured.map(({ ms }) => ms));
    const megabytes =
      measured[0].megabytes === undefined ? undefined : Math.max(...measured.map((run) => run.megabytes));
    const { atLeast = 0, mostMegabytes = Number.POSITIVE_INFINITY } = limits[name] ?? {};
    const met = ratio >= atLeast && (megabytes ?? 0) <= mostMegabytes;
    if (!met) missed++;
    const speed = `${ratio.toFixed(1)}× as fast as jq${atLeast > 0 ? ` (at least ${atLeast}×)` : ''}`;
    const memory = megabytes === undefined ? '' : `, ${megabytes.toFixed(0)} MB (at most ${mostMegabytes})`;
    console.log(`${name.padEnd(26)} ${speed}${memory}${met ? '' : '  MISSED'}`);
  }
  process.exitCode = missed > 0 ? 1 : 0;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
