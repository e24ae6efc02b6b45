import { ReelError } from '../../src/model/errors.ts';

/** Why a file cannot be read. Hints that name flags are for those who have a command line. */
export function readingFault(error: unknown): string {
  if (!(error instanceof ReelError)) return error instanceof Error ? error.message : String(error);
  const { message, hint = '' } = error;
  const sentence = /[\w")]$/.test(message) ? `${message}.` : message;
  return hint.includes('--') ? sentence : `${sentence} ${hint}`.trim();
}
