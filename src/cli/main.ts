import { ReelError } from '../model/errors.ts';
import { stateHome } from '../state/home.ts';
import type { Context } from './context.ts';
import type { EarlyStart } from './early-start.ts';
import { EXIT, exitCodeFor } from './exit-codes.ts';
import { describeError, Output } from './output.ts';
import { runCapture } from './run-capture.ts';
import { isWrapping, wrappedOptions } from './wrapped-options.ts';

/** Does what the arguments say, and resolves with the exit status. */
export async function main(args: readonly string[], early: EarlyStart | undefined): Promise<number> {
  const context: Context = {
    output: new Output(() => process.stdout, process.stderr),
    stdin: process.stdin,
    stateFolder: stateHome(process.env, process.platform),
    programFolder: import.meta.dirname,
  };
  // Without this, writing to a reader that left would end the process with a stack trace.
  process.stderr.on('error', () => undefined);
  try {
    if (isWrapping(args)) return await runWrapped(args, context, early);
    process.stdout.on('error', () => undefined);
    const { runProgram } = await import('./program.ts');
    return await runProgram(args, context);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return EXIT.done;
    context.output.note(describeError(error));
    if (process.env.MCPREEL_DEBUG && error instanceof Error) context.output.note(error.stack ?? '');
    return error instanceof ReelError ? exitCodeFor(error.code) : EXIT.failed;
  }
}

/** Behind a client nothing is announced: stderr is the server's. */
async function runWrapped(args: readonly string[], context: Context, early: EarlyStart | undefined): Promise<number> {
  const { plan = wrappedOptions(args), ...started } = early ?? {};
  return runCapture(plan, context, { announces: false, ...started });
}
