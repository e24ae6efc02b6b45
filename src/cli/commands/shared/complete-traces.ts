import type { LeftoverReport } from '../../../recovery/leftovers.ts';
import { readPointers } from '../../../state/journal-pointers.ts';
import type { CommandEnvironment } from '../../context.ts';

/**
 * Makes the trace of a session complete before it is read, or all traces: what a running session has not written yet, or what
 * a killed one left in its journal.
 */
export async function completeTraces(
  { stateFolder, pid, kill }: Pick<CommandEnvironment, 'stateFolder' | 'pid' | 'kill'>,
  reference?: string,
): Promise<readonly LeftoverReport[]> {
  // Nearly always there are none, and then nothing more is loaded.
  if ((await readPointers(stateFolder)).length === 0) return [];
  const { completeTraces: complete } = await import('../../../recovery/before-reading.ts');
  return complete({ stateFolder, pid, signal: kill, nowMs: Date.now }, reference);
}
