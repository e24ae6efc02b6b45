import { ReelError } from '../model/errors.ts';

/** What is wrong with what was given, and what to give instead. */
export function usage(message: string, hint: string): ReelError {
  return new ReelError('usage', message, { hint });
}

/** Refuses a word that an option does not have: who writes JavaScript is told here what types tell others. */
export function assertKnown(option: string, given: string, known: readonly string[]): void {
  if (!known.includes(given)) throw usage(`${option} ${given} is not known`, `Known: ${known.join(', ')}.`);
}
