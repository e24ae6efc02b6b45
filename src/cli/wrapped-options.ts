import { parseArgs } from 'node:util';
import type { StdioCaptureOptions } from '../capture/capture-options.ts';
import { ReelError } from '../model/errors.ts';
import { CAPTURE_FLAGS, type CaptureFlagValues } from './capture-flags.ts';
import { captureOptionsFrom } from './capture-options.ts';

/** Whether these are the arguments of `mcpreel [flags] -- server …`. */
export function isWrapping(args: readonly string[]): boolean {
  return args[0]?.startsWith('-') === true && args.includes('--');
}

/** Reads what an MCP client runs instead of the server, without the command-line library, which costs start-up time. */
export function wrappedOptions(args: readonly string[]): StdioCaptureOptions {
  const separator = args.indexOf('--');
  return captureOptionsFrom(parseFlags(args.slice(0, separator)), args.slice(separator + 1));
}

function parseFlags(args: string[]): CaptureFlagValues {
  const options = Object.fromEntries(
    CAPTURE_FLAGS.map(({ name, value, repeats }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: repeats },
    ]),
  );
  try {
    return parseArgs({ args, options, allowPositionals: false }).values as CaptureFlagValues;
  } catch (error) {
    const message = (error as Error).message.replace(/\. To specify.*/s, '').replaceAll("'", '');
    throw new ReelError('usage', message, { hint: 'See mcpreel record --help.', cause: error });
  }
}
