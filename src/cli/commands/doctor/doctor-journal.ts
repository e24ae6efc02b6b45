import { readFile } from 'node:fs/promises';
import { countOf, formatSize } from '../../../present/figures.ts';
import type { LeftoverReport } from '../../../recovery/leftovers.ts';
import { journalPlace } from '../../../state/journal-place.ts';
import type { CommandEnvironment } from '../../context.ts';
import { completeTraces } from '../shared/complete-traces.ts';
import { checksOf, type DoctorCheck } from './doctor-check.ts';

const { ok, note } = checksOf('journal');

type JournalContext = Pick<CommandEnvironment, 'stateFolder' | 'pid' | 'kill' | 'env' | 'platform'>;

/** Checks where journals are kept, and recovers what killed sessions left in theirs. */
export async function checkJournals(context: JournalContext): Promise<DoctorCheck[]> {
  const leftovers = (await completeTraces(context)).flatMap(leftoverCheck);
  return [...(context.platform === 'linux' ? await checkPlace(context.env) : []), ...leftovers];
}

async function checkPlace(env: JournalContext['env']): Promise<DoctorCheck[]> {
  const place = journalPlace(env);
  if ('reasons' in place) {
    const what = `no memory for journals: ${place.reasons.join(', ')}; messages are recorded before they are forwarded`;
    return [note(what, 'Set XDG_RUNTIME_DIR to a folder of yours on a tmpfs.')];
  }
  const { folder, maxBytes } = place;
  if (!(await hasSwap())) return [ok(`journals are in memory: ${folder}, up to ${formatSize(maxBytes)} each`)];
  const what = `journals are in ${folder}, and this system may write memory to swap space`;
  return [note(what, 'Encrypt the swap space, or record with --durable.')];
}

async function hasSwap(): Promise<boolean> {
  const swaps = await readFile('/proc/swaps', 'utf8').catch(() => '');
  const areas = swaps.trim().split('\n').slice(1);
  return areas.some((line) => !line.startsWith('/dev/zram'));
}

function leftoverCheck({ pointer, outcome }: LeftoverReport): DoctorCheck[] {
  const session = `session ${pointer.id.slice(0, 8)}`;
  switch (outcome.kind) {
    case 'recovered':
      return outcome.entries === 0
        ? []
        : [ok(`recovered ${countOf(outcome.messages, 'message')} of ${session}, which was killed`)];
    case 'left':
      return [note(`the journal of ${session} was not recovered: ${outcome.why}: ${pointer.journal}`)];
    default:
      return [];
  }
}
