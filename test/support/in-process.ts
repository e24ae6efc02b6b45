import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { CommandContext } from '../../src/cli/context.ts';
import { runCommand } from '../../src/cli/main.ts';
import { CommandOutput } from '../../src/cli/output.ts';
import { stateHome } from '../../src/state/home.ts';
import { MCPREEL, type Outcome, type ProcessOptions } from './mcpreel-process.ts';

/** Variables that Node or the system reads, so that they can only be set for a separate process. */
const OF_THE_PROCESS = /^(TZ|TMPDIR|NODE_.*|LANG|LC_.*)$/;

/**
 * Runs a command in this process with the same arguments, output and exit code as `main`. Stdin ends after the input,
 * and no stream is a terminal.
 */
export function runInProcess(
  args: readonly string[],
  { cwd, env, input }: ProcessOptions & { readonly input: string | Uint8Array },
): Promise<Outcome> {
  const fixed = Object.keys(env).find((name) => OF_THE_PROCESS.test(name));
  if (fixed !== undefined) throw new Error(`${fixed} needs a process of its own: use runBuilt()`);
  return inFolder(cwd, async () => {
    const stdout = gathering();
    const stderr = gathering();
    const output = new CommandOutput(() => stdout.stream, stderr.stream);
    const context = contextFor(output, env, input);
    // A real process cannot receive a lone surrogate in an argument.
    const words = args.map((word) => Buffer.from(word).toString());
    const code = await runCommand(words, context, output, undefined);
    const bytes = stdout.bytes();
    return { code, signal: null, stdout: bytes.toString(), stderr: stderr.bytes().toString(), bytes };
  });
}

/** The context in which a command runs here. */
export function contextFor(
  output: CommandOutput,
  env: ProcessOptions['env'],
  input: string | Uint8Array,
): CommandContext {
  const { platform, arch, execPath, versions } = process;
  const homeFolder = env.HOME ?? userInfo().homedir;
  return {
    direct: output,
    stdin: Readable.from(input.length === 0 ? [] : [Buffer.from(input)]),
    terminal: { isTerminal: false, columns: undefined, hasColour: false },
    stateFolder: stateHome(env, platform, homeFolder),
    programFolder: dirname(MCPREEL),
    env,
    platform,
    arch,
    cwd: () => process.cwd(),
    homeFolder,
    uid: process.getuid?.(),
    node: { version: versions.node, path: execPath },
    pid: process.pid,
    kill: (pid, signal) => process.kill(pid, signal),
    ownStreams: () => {
      throw new Error('A command that takes over stdin and stdout needs a process of its own: use runBuilt()');
    },
  };
}

function gathering(): { readonly stream: Writable; bytes(): Buffer } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, bytes: () => Buffer.concat(chunks) };
}

/**
 * The folder in which commands run now. Commands resolve paths against the working folder, and a process has only one.
 */
let current: { readonly folder: string; runs: number; readonly left: Promise<void>; leave(): void } | undefined;

/** Runs commands of one folder concurrently, and those of another folder after them. */
async function inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  while (current !== undefined && current.folder !== folder) await current.left;
  current ??= enter(folder);
  const entered = current;
  entered.runs++;
  try {
    return await work();
  } finally {
    entered.runs--;
    if (entered.runs === 0) entered.leave();
  }
}

function enter(folder: string): NonNullable<typeof current> {
  const before = process.cwd();
  const listeners = listenerCounts();
  let resolve: () => void = () => undefined;
  const left = new Promise<void>((done) => {
    resolve = done;
  });
  process.chdir(folder);
  const leave = (): void => {
    current = undefined;
    process.chdir(before);
    resolve();
    // A leftover listener would swallow a signal that should end the tests.
    if (listenerCounts() !== listeners)
      throw new Error(`A command left a listener: ${listeners} → ${listenerCounts()}`);
    if (process.exitCode !== undefined) throw new Error('A command set process.exitCode');
  };
  return { folder, runs: 0, left, leave };
}

function listenerCounts(): string {
  return ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection']
    .map((name) => `${name} ${process.listenerCount(name)}`)
    .join(', ');
}
