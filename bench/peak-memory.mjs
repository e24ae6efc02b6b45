import { existsSync, readFileSync } from 'node:fs';
import { here } from './programs.mjs';

/** What a Node program is started with to leave in a file the most memory that it held, and what it left there, in MB. */
export function watchPeak(file) {
  return {
    nodeFlags: [`--import=${here('report-memory.mjs')}`],
    env: { BENCH_MEMORY_FILE: file },
    megabytes: () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) / 1000 : undefined),
  };
}
