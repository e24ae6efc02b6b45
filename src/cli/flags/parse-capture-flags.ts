import { parseArgs } from 'node:util';
import { ReelError } from '../../model/errors.ts';
import { nearWord } from '../near-word.ts';
import { CAPTURE_FLAGS, type CaptureFlagValues } from './capture-flags.ts';
import { looksLikeOption } from './option-values.ts';

export interface ParsedCaptureFlags {
  readonly values: CaptureFlagValues;
  /** The flags in the given order. */
  readonly given: readonly { readonly name: string; readonly value?: string | undefined }[];
}

/** Parses the flags of `record` without the command-line library, which costs startup time. */
export function parseCaptureFlags(args: readonly string[], hint: string): ParsedCaptureFlags {
  const options = Object.fromEntries(
    CAPTURE_FLAGS.map(({ name, value, repeats = false }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: repeats },
    ]),
  );
  try {
    const { values, tokens } = parseArgs({
      args: withJoinedValues(args),
      options,
      allowPositionals: false,
      tokens: true,
    });
    return { values: values as CaptureFlagValues, given: tokens.filter((token) => token.kind === 'option') };
  } catch (error) {
    throw complaint(error as Error, hint);
  }
}

/** The same arguments with values that begin with a dash joined to their flags, as Node requires: `--hold=-tool:x`. */
function withJoinedValues(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of args) {
    const last = joined.at(-1);
    const isValue = /^-[^-]/.test(word) && !looksLikeOption(word) && TAKE_VALUES.has(last ?? '');
    if (isValue) joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return joined;
}

const TAKE_VALUES: ReadonlySet<string> = new Set(
  CAPTURE_FLAGS.flatMap(({ name, value }) => (value === undefined ? [] : [`--${name}`])),
);

/** Node's error about the flags, without its advice, and with a suggestion if a known flag is close. */
function complaint(error: Error, hint: string): ReelError {
  const [, withoutValue] =
    /^Option '(?:-\w, )?--([\w-]+).*' argument (?:missing|is ambiguous)/s.exec(error.message) ?? [];
  if (withoutValue !== undefined) return argumentMissing(withoutValue, hint);
  const message = error.message.replace(/\. .*|\n.*/s, '');
  const [, unknown] = /^Unknown option '-+(.*)'$/.exec(message) ?? [];
  const near =
    unknown &&
    nearWord(
      unknown,
      CAPTURE_FLAGS.map(({ name }) => name),
    );
  return new ReelError('usage', message, { hint: near ? `Did you mean --${near}?` : hint, cause: error });
}

/** The error for a flag without its value, in the words of the command-line library. */
function argumentMissing(name: string, hint: string): ReelError {
  const value = CAPTURE_FLAGS.find((flag) => flag.name === name)?.value ?? 'value';
  return new ReelError('usage', `Option '--${name} <${value}>' argument missing`, { hint });
}
