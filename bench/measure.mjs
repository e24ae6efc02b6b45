import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The baseline of everything that reads a file. */
export const JQ = 'jq -c .';

/**
 * Runs every contestant in turn, round after round, and prints how fast each is beside jq, or beside another one that
 * its limits name, and how much memory it took.
 * Returns whether all limits are met.
 */
export async function compareWithJq(contestants, limits, rounds) {
  const runs = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, command] of Object.entries(contestants)) runs[name].push(await measure(command));
  }
  const baseline = median(runs[JQ].map(({ ms }) => ms));
  let missed = 0;
  for (const [name, measured] of Object.entries(runs)) {
    const ratio = baseline / median(measured.map(({ ms }) => ms));
    const megabytes =
      measured[0].megabytes === undefined ? undefined : Math.max(...measured.map((run) => run.megabytes));
    const { atLeast = 0, mostMegabytes = Number.POSITIVE_INFINITY, within } = limits[name] ?? {};
    const longer = within && median(measured.map(({ ms }) => ms)) / median(runs[within.of].map(({ ms }) => ms));
    const met = ratio >= atLeast && (megabytes ?? 0) <= mostMegabytes && (longer ?? 0) <= (within?.times ?? 0);
    if (!met) missed++;
    const beside = within ? `, ${longer.toFixed(1)}× the time of ${within.of} (at most ${within.times}×)` : '';
    const speed = `${ratio.toFixed(1)}× as fast as jq${atLeast > 0 ? ` (at least ${atLeast}×)` : ''}${beside}`;
    const memory = megabytes === undefined ? '' : `, ${megabytes.toFixed(0)} MB (at most ${mostMegabytes})`;
    console.log(`${name.padEnd(26)} ${speed}${memory}${met ? '' : '  MISSED'}`);
  }
  return missed === 0;
}

const SIGNALS = ['SIGINT', 'SIGTERM'];

/** Gives work a folder that is gone afterwards, even if the process is told to end before. */
export async function inTemporaryFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'mcpreel-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const end = () => process.exit(1);
  process.once('exit', remove);
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    return await work(folder);
  } finally {
    process.off('exit', remove);
    for (const signal of SIGNALS) process.off(signal, end);
    remove();
  }
}

/** Runs a command with its output thrown away; tells how long it took and the most memory it held. */
async function measure([program, ...args]) {
  return inTemporaryFolder(async (folder) => {
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
  });
}

/** The middle one of some numbers. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
