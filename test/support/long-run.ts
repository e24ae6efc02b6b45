/**
 * Whether this run covers every case. `npm run test:long` sets it; `npm test` covers a sample of the slow ones.
 *
 * A test that only runs in long runs has a short form in the same file or names the file that has it.
 */
export const isLongRun: boolean = process.env.MCPREEL_TEST_LONG === '1';

/** All cases in a long run, and the sample otherwise. */
export function inLongRuns<T>(all: readonly T[], sample: readonly T[]): readonly T[] {
  return isLongRun ? all : sample;
}
