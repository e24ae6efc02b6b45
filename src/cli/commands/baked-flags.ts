import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ReelError } from '../../model/errors.ts';
import { CAPTURE_FLAGS, type CaptureFlagValues } from '../capture-flags.ts';
import { captureOptionsFrom } from '../capture-options.ts';

/** What says which server is recorded; in a client's configuration the entry says it. */
const OF_THE_ENTRY = /^(transport|target-|listen-)/;
const A_PATH = /^(file|folder)$/;

/**
 * The recorder's flags as they can stand in a configuration: known, with values that it takes, and with absolute paths,
 * because clients start servers anywhere.
 */
export function bakedFlags(words: readonly string[], cwd: string): string[] {
  const { values, given } = parse([...words]);
  const baked = given.flatMap(({ name, value }) => {
    if (OF_THE_ENTRY.test(name)) throw usage(`--${name} is for each server’s own entry to say`);
    if (value === undefined) return [`--${name}`];
    const isPath = A_PATH.test(CAPTURE_FLAGS.find((flag) => flag.name === name)?.value ?? '');
    const text = isPath ? resolve(cwd, value) : value;
    return text.startsWith('-') ? [`--${name}=${text}`] : [`--${name}`, text];
  });
  // Better to hear of a wrong value now than when a client cannot start its server.
  captureOptionsFrom(values, ['server']);
  return baked;
}

interface ParsedFlags {
  readonly values: CaptureFlagValues;
  /** The flags in their order. */
  readonly given: readonly { readonly name: string; readonly value?: string | undefined }[];
}

function parse(args: string[]): ParsedFlags {
  const options = Object.fromEntries(
    CAPTURE_FLAGS.map(({ name, value, repeats }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: repeats },
    ]),
  );
  try {
    const { values, tokens } = parseArgs({ args, options, allowPositionals: false, tokens: true });
    return { values: values as CaptureFlagValues, given: tokens.filter((token) => token.kind === 'option') };
  } catch (error) {
    throw usage((error as Error).message.replace(/\. To specify.*/s, '').replaceAll("'", ''), error);
  }
}

function usage(message: string, cause?: unknown): ReelError {
  return new ReelError('usage', message, { hint: 'After -- come flags of mcpreel record; see its --help.', cause });
}
