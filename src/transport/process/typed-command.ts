import { platform } from 'node:os';
import { splitCommandLine } from '../../model/command-line.ts';
import { splitWindowsCommandLine } from '../../model/windows-command-line.ts';

/** Splits a command line that the user typed, by the rules of this platform. Those in recordings are always POSIX. */
export function splitTypedCommand(line: string, os: string = platform()): string[] {
  return os === 'win32' ? splitWindowsCommandLine(line) : splitCommandLine(line);
}
