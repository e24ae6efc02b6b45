import { ReelError } from '../model/errors.ts';

/** Flags with a short form, which hints may name instead. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['-o', '--output'],
  ['-f', '--output-format'],
  ['-v', '--verbose'],
]);

/** A flag in a sentence. */
const FLAG = /(?<![\w-])(?:--[a-z][a-z-]*[a-z]|-[a-z])(?![\w-])/g;

/** The same error without its hint, if the hint names a flag that was given: that advice was followed already. */
export function withFittingHint(error: unknown, args: readonly string[]): unknown {
  if (!(error instanceof ReelError) || error.hint === undefined) return error;
  const separator = args.indexOf('--');
  const given = new Set((separator < 0 ? args : args.slice(0, separator)).map(flagIn));
  const named = error.hint.match(FLAG) ?? [];
  if (!named.some((flag) => given.has(longForm(flag)))) return error;
  const plain = new ReelError(error.code, error.message, { cause: error.cause });
  if (error.stack !== undefined) plain.stack = error.stack;
  return plain;
}

function flagIn(word: string): string {
  return longForm(word.replace(/=.*$/s, ''));
}

function longForm(flag: string): string {
  return SHORT.get(flag) ?? flag;
}
