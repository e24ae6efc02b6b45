import { platform } from 'node:os';

/** The variable that names the folder for temporary files on this platform, for hints. */
export function temporaryVariable(os: string = platform()): string {
  return os === 'win32' ? 'TEMP' : 'TMPDIR';
}
