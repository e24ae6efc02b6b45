import { parseArgs } from 'node:util';
import { ReelError } from '../model/errors.ts';
import { CAPTURE_FLAGS, type CaptureFlagValues } from './capture-flags.ts';
import { captureOptionsFrom } from './capture-options.ts';
import type { Context } from './context.ts';
import { runCapture } from './run-capture.ts';

/** Whether these are the arguments of `mcpreel [flags] -- server …`. */
export function isWrapping(args: readonly string[]): boolean {
  return args[0]?.startsWith('-') === true && args.includes('--');
}

/** What an MCP client runs instead of the server. Read without the command-line library, which costs start-up time. */
export async function runWrapped(args: readonly string[], context: Context): Promise<number> {
  const separator = args.indexOf('--');
  const values = parseFlags(args.slice(0, separator));
  return runCapture(captureOptionsFrom(values, args.slice(separator + 1)), context, { announces: false });
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
