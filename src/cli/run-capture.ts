import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { KeepingOptions, SessionDeps, StdioDeps } from '../capture/capture-options.ts';
import { shellLine } from '../model/shell-line.ts';
import { steadyClock } from '../model/steady-clock.ts';
import { visible } from '../present/visible-text.ts';
import { readPointers } from '../state/journal-pointers.ts';
import { stateOf } from '../state/process-identity.ts';
import { isLoopback } from '../transport/http/loopback.ts';
import type { StdioTargetOptions } from '../transport/outbound/connect-target.ts';
import type { TargetProcess } from '../transport/process/target-process.ts';
import type { DirectOutput } from './command-run.ts';
import type { CommandContext } from './context.ts';
import { startServer } from './early-start.ts';
import type { CapturePlan } from './flags/capture-options.ts';
import { loadInterception } from './flags/interception-options.ts';
import { closeStdin, letGo } from './terminal/own-descriptors.ts';
import type { OwnScreen } from './terminal/own-screen.ts';
import { SignalListener } from './terminal/signal-listener.ts';

export interface CaptureStyle {
  /** Whether to print what is recorded and where. */
  readonly announces: boolean;
  /** The server, if it was started early. */
  readonly target?: Promise<TargetProcess> | undefined;
  /** The id of the process that started mcpreel, as of the early start. */
  readonly parent?: number | undefined;
  /** The signal listener since the early start. */
  readonly signals?: SignalListener | undefined;
  /** Called with the path of the trace file, once it exists. */
  readonly onRecording?: ((tracePath: string) => void) | undefined;
  /** The screen that shows the session on this terminal, if any. */
  readonly screen?: OwnScreen | undefined;
}

/** A placeholder for the command when the target is a URL; it is never started. */
const NO_PROGRAM: StdioTargetOptions = { command: [], env: {} };

/**
 * Runs a capture on this process's own streams and signals. Returns the exit status, which is the server's if the
 * target is a command. The recording is announced only on request: under a client, stderr belongs to the server.
 */
export async function runCapture(plan: CapturePlan, context: CommandContext, style: CaptureStyle): Promise<number> {
  try {
    return await capture(plan, context, style);
  } finally {
    await style.screen?.close();
  }
}

async function capture(plan: CapturePlan, context: CommandContext, style: CaptureStyle): Promise<number> {
  const { direct } = context;
  const { screen } = style;
  const interception = await loadInterception(plan.interception);
  const deps = depsFor(plan.options, context, style);
  warnOfInsecurity(plan, direct);
  const onListening = (url: string): void => {
    announceListener(url, plan, direct);
    screen?.open(url);
  };
  switch (plan.kind) {
    case 'stdio': {
      const { captureStdio } = await import('../capture/stdio/stdio-capture.ts');
      return captureStdio({ ...plan.options, interception }, { ...deps, ...streamsFor(plan.options, context, style) });
    }
    case 'http': {
      const { captureHttp } = await import('../capture/http/http-capture.ts');
      return captureHttp({ ...plan.options, interception }, { ...deps, onListening });
    }
    case 'bridge': {
      const { captureBridge } = await import('../capture/bridge/bridge-capture.ts');
      const { target } = plan.options;
      const program = target.transport === 'stdio' ? target : NO_PROGRAM;
      return captureBridge(
        { ...plan.options, interception },
        { ...deps, ...streamsFor(program, context, style), onListening },
      );
    }
  }
}

function depsFor(
  options: KeepingOptions,
  { direct, stateFolder, programFolder }: CommandContext,
  { announces, onRecording, signals = new SignalListener(), screen }: CaptureStyle,
): SessionDeps {
  const note = (line: string): void => (screen ?? direct).note(visible(line));
  let end: () => void = () => undefined;
  return {
    env: process.env,
    platform: process.platform,
    pid: process.pid,
    stateFolder,
    version: __MCPREEL_VERSION__,
    nowMs: steadyClock(Date.now, () => performance.now()),
    newId: randomUUID,
    onSignal: (received) => {
      // Leaving the screen acts like Ctrl-C, and so does a screen's request to end the session.
      end = once(() => received('SIGINT'));
      screen?.onLeft(() => end());
      return signals.listen(received);
    },
    requestEnd: () => end(),
    note,
    mayJournal: true,
    longLineScript: join(programFolder, 'long-line-worker.js'),
    onRecording(path) {
      onRecording?.(path);
      if (announces) announce(path, options, note);
    },
  };
}

/** A function that runs `act` only the first time it is called. */
function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

function streamsFor(
  options: StdioTargetOptions,
  { ownStreams, stateFolder }: CommandContext,
  { target, parent = process.ppid, screen }: CaptureStyle,
): Omit<StdioDeps, keyof SessionDeps> {
  const { stdin, stdout, stderr } = ownStreams();
  stdin.once('close', () => letGo(0));
  stdout.on('error', () => undefined);
  return {
    stdin,
    closeStdin: (atOnce) => closeStdin(stdin, process.platform, atOnce),
    stdout,
    closeStdout: () => letGo(1),
    stderr: screen?.stderr ?? stderr,
    startTarget: () => target ?? startServer(options, process),
    hasTerminal: stdin.isTTY || stderr.isTTY,
    parentIsGone: () => parentIsGone(parent, process),
    afterFirstAnswer: () => void recoverElsewhere(stateFolder),
  };
}

/** Lets another process recover sessions that were killed, if there are any. */
async function recoverElsewhere(stateFolder: string): Promise<void> {
  const pointers = await readPointers(stateFolder);
  const isLeft = pointers.some(({ owner }) => stateOf(owner, (pid, signal) => process.kill(pid, signal)) === 'gone');
  const [program] = process.argv.slice(1);
  if (!isLeft || program === undefined) return;
  const args = [program, 'sessions', 'recover'];
  const child = spawn(process.execPath, args, { detached: true, stdio: 'ignore', windowsHide: true });
  child.on('error', () => undefined).unref();
}

/** Whether the process that started this one has ended. */
export function parentIsGone(parent: number, own: Pick<NodeJS.Process, 'platform' | 'ppid' | 'kill'>): boolean {
  if (own.platform !== 'win32') return own.ppid !== parent;
  // On Windows an orphan keeps the id of its parent.
  try {
    own.kill(parent, 0);
    return false;
  } catch {
    return true;
  }
}

/** The address is always printed, because the user cannot guess it. */
function announceListener(url: string, plan: CapturePlan, direct: DirectOutput): void {
  const { options } = plan;
  if ('listen' in options && 'host' in options.listen && !isLoopback(options.listen.host)) {
    direct.note(`mcpreel: WARNING: other machines can connect to ${url} (--allow-remote)`);
  }
  direct.note(visible(`mcpreel: Listening on ${url} for ${targetOf(plan)}`));
}

function targetOf({ options }: CapturePlan): string {
  const target = 'target' in options ? options.target : options;
  return 'url' in target ? target.url.href : shellLine(target.command, process.platform);
}

function warnOfInsecurity({ options }: CapturePlan, direct: DirectOutput): void {
  if (!('target' in options && 'url' in options.target && options.target.insecure)) return;
  direct.note(`mcpreel: WARNING: the certificate of ${options.target.url.host} is not checked (--insecure)`);
}

function announce(tracePath: string, { sessionFile }: KeepingOptions, note: (line: string) => void): void {
  const atExit = sessionFile === undefined ? '' : `, and at exit to ${sessionFile}`;
  note(`mcpreel: Recording to ${tracePath}${atExit}`);
}
