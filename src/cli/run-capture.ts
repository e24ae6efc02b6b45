import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import type { StdioCaptureOptions } from '../capture/stdio-capture.ts';
import type { Context } from './context.ts';
import { type Output, visible } from './output.ts';

/**
 * Runs a capture on this process's own streams and signals, and returns the server's exit status. What is recorded
 * where is said only if asked for: behind a client, stderr is the server's.
 */
export async function runCapture(
  options: StdioCaptureOptions,
  { output, stateFolder }: Context,
  { announces }: { readonly announces: boolean },
): Promise<number> {
  const { captureStdio } = await import('../capture/stdio-capture.ts');
  const status = await captureStdio(options, {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    stateFolder,
    version: __MCPREEL_VERSION__,
    nowMs: Date.now,
    newId: randomUUID,
    onSignal: listenForSignals,
    note: (line) => output.note(line),
    ...(announces && { onRecording: (path) => announce(path, options, output) }),
  });
  await flushed(process.stdout);
  return status;
}

function announce(tracePath: string, { sessionFile }: StdioCaptureOptions, output: Output): void {
  const atExit = sessionFile === undefined ? '' : `, and at exit to ${sessionFile}`;
  output.note(visible(`mcpreel: Recording to ${tracePath}${atExit}`));
}

function listenForSignals(signals: readonly NodeJS.Signals[], heard: (signal: NodeJS.Signals) => void): () => void {
  const known = signals.filter((signal) => signal in constants.signals);
  for (const signal of known) process.on(signal, heard);
  return () => {
    for (const signal of known) process.off(signal, heard);
  };
}

/** Resolves when everything written so far has left this process, or nobody is there to take it. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });
}
