import { rmSync } from 'node:fs';

/** Removes a file, if that can be done: for what is no longer needed and does no harm where it stays. */
export function removeQuietly(path: string): void {
  try {
    // On Windows a file that another program reads is removed when it is closed.
    rmSync(path, { force: true, maxRetries: 3 });
  } catch {
    // It stays.
  }
}
