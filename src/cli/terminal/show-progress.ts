import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { CommandOutput } from '../output.ts';
import { StatusLine } from './status-line.ts';
import { WorkProgress } from './work-progress.ts';

/** Of this process, what says whether and where progress can be shown. */
export type ProgressProcess = Pick<NodeJS.Process, 'stderr' | 'env' | 'on' | 'off' | 'kill' | 'pid'>;

/** The means to show how far work is, if a person watches a terminal that can rewrite a line. */
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

/** Whether a person may see what is written: a reader behind a pipe may be a pager, which has the terminal. */
function mayBeSeen(descriptor: number): boolean {
  try {
    const status = fstatSync(descriptor);
    return !status.isFile() && (!status.isCharacterDevice() || isatty(descriptor));
  } catch {
    // It was closed before we started.
    return false;
  }
}

const INTERRUPTS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

/**
 * Listens for an interrupt, which then ends the process as if there had been no listener. One that came before listening
 * is stopped is waiting for the next turn of the event loop, and would be lost without a listener there.
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
