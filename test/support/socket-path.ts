import { basename, join } from 'node:path';

/** A path for a test's socket: in its folder, or on Windows a named pipe derived from both. */
export function socketPath(folder: string, name: string): string {
  return process.platform === 'win32' ? `\\\\.\\pipe\\${basename(folder)}-${name}` : join(folder, name);
}
