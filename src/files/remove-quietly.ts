import { rmSync } from 'node:fs';

/** Removes a file that is no longer needed, and ignores errors. */
export function removeQuietly(path: string): void {
  try {
    // On Windows, a file that another program has open is removed when that program closes it.
    rmSync(path, { force: true, maxRetries: 3 });
  } catch {
    // The file stays.
  }
}
