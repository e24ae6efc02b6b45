import { rmSync } from 'node:fs';

/** Removes a file, if that can be done: for what is no longer needed and does no harm where it stays. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It stays.
  }
}
