import { type CapturePlan, captureOptionsFrom } from './capture-options.ts';
import { usage } from './flag-values.ts';
import { parseCaptureFlags } from './parse-capture-flags.ts';

/** Whether these are the arguments of `mcpreel [flags] -- server …`. */
export function isWrapping(args: readonly string[]): boolean {
  return args[0]?.startsWith('-') === true && args.includes('--');
}

/** Parses the command line that an MCP client runs in place of the server's. */
export function wrappedOptions(args: readonly string[]): CapturePlan {
  const separator = args.indexOf('--');
  const { values } = parseCaptureFlags(args.slice(0, separator), 'See mcpreel record --help.');
  if (values.tui === true) throw usage('--tui needs its own terminal', 'Run mcpreel tui in another one.');
  return captureOptionsFrom(values, args.slice(separator + 1));
}
