import { parseArgs } from 'node:util';
import { ReelError } from '../model/errors.ts';
import { CAPTURE_FLAGS, type CaptureFlagValues } from './capture-flags.ts';

export interface ParsedCaptureFlags {
  readonly values: CaptureFlagValues;
  /** The flags in their order. */
  readonly given: readonly { readonly name: string; readonly value?: string | undefined }[];
}

/** Reads the recorder's flags, and nothing else, without the command-line library, which costs start-up time. */
export function parseCaptureFlags(args: readonly string[], hint: string): ParsedCaptureFlags {
  const options = Object.fromEntries(
    CAPTURE_FLAGS.map(({ name, value, repeats }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: repeats },
    ]),
  );
  try {
    const { values, tokens } = parseArgs({ args: [...args], options, allowPositionals: false, tokens: true });
    return { values: values as CaptureFlagValues, given: tokens.filter((token) => token.kind === 'option') };
  } catch (error) {
    const message = (error as Error).message.replace(/\. To specify.*/s, '').replaceAll("'", '');
    throw new ReelError('usage', message, { hint, cause: error });
  }
}
