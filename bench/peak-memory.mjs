import { existsSync, readFileSync } from 'node:fs';
import { here } from './programs.mjs';

/** The flags and environment that make a Node program write its peak memory to a file, and a reader for it, in MB. */
export function watchPeak(file) {
  return {
    nodeFlags: [`--import=${here('report-memory.mjs')}`],
    env: { BENCH_MEMORY_FILE: file },
    megabytes: () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) / 1000 : undefined),
  };
}
