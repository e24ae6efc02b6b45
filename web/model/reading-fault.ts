import { inOneLine, ReelError } from '../../src/model/errors.ts';

/** Why a file cannot be read, in sentences. Hints that name flags are for those who have a command line. */
export function readingFault(error: unknown): string {
  const isForShell = error instanceof ReelError && error.hint?.includes('--');
  const sent = isForShell ? error.message : inOneLine(error);
  return /[.!?…]$/.test(sent) ? sent : `${sent}.`;
}
