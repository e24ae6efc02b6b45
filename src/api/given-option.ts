import { ReelError } from '../model/errors.ts';

/** Creates the error for an invalid option, with a hint on what to pass instead. */
export function usage(message: string, hint: string): ReelError {
  return new ReelError('usage', message, { hint });
}

/**
 * Rejects an unknown value of an option. JavaScript callers get this check at runtime, because they have no type
 * checking.
 */
export function assertKnown(option: string, given: string, known: readonly string[]): void {
  if (!known.includes(given)) throw usage(`Unknown ${option}: ${given}`, `Use one of ${known.join(', ')}.`);
}
