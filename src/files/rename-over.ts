import { renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { platform } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * On Windows, a file that another program has open cannot be replaced until it is closed. Virus scanners cause this.
 */
const RETRIED: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY']);
const RETRIES = 20;
const RETRY_AFTER_MS = 50;

interface RenameDeps<Result> {
  readonly isWindows: boolean;
  readonly rename: (from: string, to: string) => Result;
  readonly wait: (ms: number) => Result;
}

/** Renames a file over another one. On Windows, it retries for one second. */
export async function renameOver(
  from: string,
  to: string,
  { isWindows, rename, wait }: RenameDeps<Promise<unknown>> = asynchronous,
): Promise<void> {
  for (let tries = isWindows ? RETRIES : 0; ; tries--) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (tries === 0 || !RETRIED.has((error as NodeJS.ErrnoException).code)) throw error;
      await wait(RETRY_AFTER_MS);
    }
  }
}

/** The synchronous version of `renameOver`. */
export function renameOverSync(
  from: string,
  to: string,
  { isWindows, rename, wait }: RenameDeps<unknown> = synchronous,
): void {
  for (let tries = isWindows ? RETRIES : 0; ; tries--) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      if (tries === 0 || !RETRIED.has((error as NodeJS.ErrnoException).code)) throw error;
      wait(RETRY_AFTER_MS);
    }
  }
}

const isWindows = platform() === 'win32';
const asynchronous: RenameDeps<Promise<unknown>> = { isWindows, rename, wait: (ms) => delay(ms) };
const synchronous: RenameDeps<unknown> = {
  isWindows,
  rename: renameSync,
  wait: (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};
