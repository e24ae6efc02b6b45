import { inOneLine, ReelError } from '../../src/model/errors.ts';

/** Explains why a file cannot be read. It leaves out hints about flags, which only apply to the command line. */
export function readingFault(error: unknown): string {
  const isForShell = error instanceof ReelError && error.hint?.includes('--');
  const sent = isForShell ? error.message : inOneLine(error);
  return /[.!?…]$/.test(sent) ? sent : `${sent}.`;
}
