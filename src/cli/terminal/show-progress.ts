import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { CommandOutput } from '../output.ts';
import { StatusLine } from './status-line.ts';
import { WorkProgress } from './work-progress.ts';

/** The parts of `process` that decide whether and where progress is shown. */
export type ProgressProcess = Pick<NodeJS.Process, 'stderr' | 'env' | 'on' | 'off' | 'kill' | 'pid'>;

/** Creates the progress reporter, if stderr is a terminal that can rewrite a line. */
export function progressFor(output: CommandOutput, own: ProgressProcess): WorkProgress | undefined {
  const { stderr, env } = own;
  if (!stderr.isTTY || env.TERM === 'dumb' || env.CI) return undefined;
  const line = new StatusLine(stderr, {
    showsResults: mayBeSeen(1),
    onInterrupt: (received) => onInterrupt(received, own),
  });
  output.onWriting(line.makeWay);
  return new WorkProgress(line, Date.now);
}

/** Whether a user may see the output: a reader behind a pipe may be a pager on the same terminal. */
function mayBeSeen(descriptor: number): boolean {
  try {
    const status = fstatSync(descriptor);
    return !status.isFile() && (!status.isCharacterDevice() || isatty(descriptor));
  } catch {
    // It was closed before mcpreel started.
    return false;
  }
}

const INTERRUPTS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

/**
 * Listens for an interrupt, which afterwards ends the process as usual. A signal that arrives just before the listener
 * is removed is delivered in the next turn of the event loop. Without a listener then, it would be lost.
 */
export function onInterrupt(
  received: () => void,
  own: Pick<ProgressProcess, 'on' | 'off' | 'kill' | 'pid'>,
): () => void {
  const stop = (): void => {
    for (const signal of INTERRUPTS) own.off(signal, listener);
  };
  const listener = (signal: NodeJS.Signals): void => {
    stop();
    received();
    own.kill(own.pid, signal);
  };
  for (const signal of INTERRUPTS) own.on(signal, listener);
  return () => void setImmediate(stop);
}
