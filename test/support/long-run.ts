/**
 * Whether this run tries every case. `npm run test:long` sets it; `npm test` tries a sample of what takes long.
 *
 * A test that only runs in long runs has a short form in the same file or names the file that has it.
 */
export const isLongRun: boolean = process.env.MCPREEL_TEST_LONG === '1';

/** All of these in a long run, and the named sample otherwise. */
export function inLongRuns<T>(all: readonly T[], sample: readonly T[]): readonly T[] {
  return isLongRun ? all : sample;
}
