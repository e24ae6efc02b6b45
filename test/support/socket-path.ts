import { basename, join } from 'node:path';

/** Where a test may listen: at a path in its folder, or on Windows at a pipe that is named after both. */
export function socketPath(folder: string, name: string): string {
  return process.platform === 'win32' ? `\\\\.\\pipe\\${basename(folder)}-${name}` : join(folder, name);
}
