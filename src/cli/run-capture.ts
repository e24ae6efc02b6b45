import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import type { StdioCaptureOptions } from '../capture/capture-options.ts';
import type { TargetProcess } from '../transport/target-process.ts';
import type { Context } from './context.ts';
import { startServer } from './early-start.ts';
import { type Output, visible } from './output.ts';
import { SignalEar } from './signals.ts';

export interface CaptureManner {
  /** Whether to say what is recorded where. */
  readonly announces: boolean;
  /** The server, if it was started already. */
  readonly target?: Promise<TargetProcess> | undefined;
  /** Who had started us then. */
  readonly parent?: number | undefined;
  /** What has listened for signals since then. */
  readonly signals?: SignalEar | undefined;
}

/**
 * Runs a capture on this process's own streams and signals, and returns the server's exit status. What is recorded
 * where is said only if asked for: behind a client, stderr is the server's.
 */
export async function runCapture(
  options: StdioCaptureOptions,
  { output, stateFolder }: Context,
  { announces, target, parent = process.ppid, signals = new SignalEar() }: CaptureManner,
): Promise<number> {
  const { captureStdio } = await import('../capture/stdio-capture.ts');
  process.stdin.once('close', () => letGo(0));
  process.stdout.on('error', () => undefined);
  return captureStdio(options, {
    stdin: process.stdin,
    stdout: process.stdout,
    closeStdout: () => letGo(1),
    stderr: process.stderr,
    env: process.env,
    platform: process.platform,
    pid: process.pid,
    startTarget: () => target ?? startServer(options),
    hasTerminal: process.stdin.isTTY || process.stderr.isTTY,
    parentIsGone: () => process.ppid !== parent,
    stateFolder,
    version: __MCPREEL_VERSION__,
    nowMs: Date.now,
    newId: randomUUID,
    onSignal: (heard) => signals.listen(heard),
    note: (line) => output.note(visible(line)),
    ...(announces && { onRecording: (path) => announce(path, options, output) }),
  });
}

function announce(tracePath: string, { sessionFile }: StdioCaptureOptions, output: Output): void {
  const atExit = sessionFile === undefined ? '' : `, and at exit to ${sessionFile}`;
  output.note(visible(`mcpreel: Recording to ${tracePath}${atExit}`));
}

/** Node keeps the first descriptors open when their streams close, and whoever is at the other end would never know. */
function letGo(descriptor: 0 | 1): void {
  try {
    closeSync(descriptor);
    // Its number must not go to a file that we open: somebody may still take it for stdin or stdout.
    openSync(devNull, 'r+');
  } catch {
    // It was closed before we started.
  }
}
