import { platform } from 'node:os';

/** Returns the environment variable that sets the temporary folder on this platform, for use in hints. */
export function temporaryVariable(os: string = platform()): string {
  return os === 'win32' ? 'TEMP' : 'TMPDIR';
}
