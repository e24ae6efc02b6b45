import { homedir } from 'node:os';
import { ReelError } from '../model/errors.ts';
import { stateHome } from '../state/home.ts';
import type { CommandContext } from './context.ts';
import type { EarlyStart } from './early-start.ts';
import { EXIT, exitCodeFor } from './exit-codes.ts';
import { isWrapping, wrappedOptions } from './flags/wrapped-options.ts';
import { CommandOutput, describeError } from './output.ts';
import { runCapture } from './run-capture.ts';
import type { ProgressProcess } from './terminal/show-progress.ts';

/** Runs the program in this process; resolves with the exit status. */
export async function main(args: readonly string[], early: EarlyStart | undefined): Promise<number> {
  const output = new CommandOutput(() => process.stdout, process.stderr);
  const context = ownContext(output);
  // Without this, writing to a closed stderr would end the process with a stack trace.
  process.stderr.on('error', () => undefined);
  if (isWrapping(args)) return reportingErrors(() => runWrapped(args, context, early), args, output, context);
  process.stdout.on('error', () => undefined);
  return runCommand(args, context, output, process);
}

/** Runs the command that the arguments name. `own` is the process whose terminal can show progress, if any. */
export function runCommand(
  args: readonly string[],
  context: CommandContext,
  output: CommandOutput,
  own: ProgressProcess | undefined,
): Promise<number> {
  const run = async (): Promise<number> => {
    const { runProgram } = await import('./program.ts');
    return runProgram(args, context, output, own);
  };
  return reportingErrors(run, args, output, context);
}

/** Prints an error that ends the program; resolves with the exit status. */
async function reportingErrors(
  run: () => Promise<number>,
  args: readonly string[],
  output: CommandOutput,
  { env }: CommandContext,
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return EXIT.done;
    output.note(describeError(withFittingHint(error, args)));
    if (env.MCPREEL_DEBUG && error instanceof Error) output.note(error.stack ?? '');
    return error instanceof ReelError ? exitCodeFor(error.code) : EXIT.failed;
  }
}

/** Under a client nothing is announced, because stderr belongs to the server. */
async function runWrapped(
  args: readonly string[],
  context: CommandContext,
  early: EarlyStart | undefined,
): Promise<number> {
  const { plan = wrappedOptions(args), ...started } = early ?? {};
  return runCapture(plan, context, { announces: false, ...started });
}

function ownContext(output: CommandOutput): CommandContext {
  const { env, platform, arch, stdin, execPath, versions } = process;
  const homeFolder = homedir();
  return {
    direct: output,
    stdin,
    // Getters, because a client's stdout must not be touched before there is a result.
    terminal: {
      get isTerminal() {
        return process.stdout.isTTY === true;
      },
      get columns() {
        return process.stdout.columns;
      },
      hasColour: !env.NO_COLOR,
    },
    stateFolder: stateHome(env, platform, homeFolder),
    programFolder: import.meta.dirname,
    env,
    platform,
    arch,
    cwd: () => process.cwd(),
    homeFolder,
    uid: process.getuid?.(),
    node: { version: versions.node, path: execPath },
    pid: process.pid,
    kill: (pid, signal) => process.kill(pid, signal),
    ownStreams: () => process,
  };
}

/** Flags with a short form, which hints may name instead. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['-o', '--output'],
  ['-f', '--output-format'],
  ['-v', '--verbose'],
]);

/** A flag in a sentence. */
const FLAG = /(?<![\w-])(?:--[a-z][a-z-]*[a-z]|-[a-z])(?![\w-])/g;

/** The same error without its hint, if the hint names a flag that was given: that advice was followed already. */
function withFittingHint(error: unknown, args: readonly string[]): unknown {
  if (!(error instanceof ReelError) || error.hint === undefined) return error;
  const separator = args.indexOf('--');
  const given = new Set((separator < 0 ? args : args.slice(0, separator)).map(flagIn));
  // The flags after the name of a command belong to that command, and another value may help.
  const named = error.hint.replace(/\bmcpreel [a-z].*|--[a-z-]+ 0\b/gs, '').match(FLAG) ?? [];
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
