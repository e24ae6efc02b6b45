import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchPeak } from './peak-memory.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM'];

/** Runs work with a temporary folder, and removes the folder even if a signal ends the process. */
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

/** Runs a command and discards its output. Returns its run time and, for Node, its peak memory. */
export async function measure([program, ...args], more = {}) {
  return inTemporaryFolder(async (folder) => {
    const peak = watchPeak(join(folder, 'memory'));
    const nothing = openSync('/dev/null', 'w');
    const env = { ...process.env, ...more, ...peak.env, NODE_OPTIONS: peak.nodeFlags.join(' ') };
    const started = performance.now();
    const child = spawn(program, args, { env, stdio: ['ignore', nothing, 'inherit'] });
    const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
    const ms = performance.now() - started;
    closeSync(nothing);
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
    return { ms, megabytes: peak.megabytes() };
  });
}

export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
