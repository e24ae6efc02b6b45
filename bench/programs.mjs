// The programs that the benchmarks run.
import { join } from 'node:path';
import { root } from '../scripts/run.mjs';

export const node = process.execPath;
export const mcpreel = join(root, 'dist', 'mcpreel.cjs');

/** The path of a program in this folder. */
export const here = (name) => join(import.meta.dirname, name);
