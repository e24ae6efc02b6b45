import { type EntryKey, laneOf } from '../../model/entry-key.ts';
import type { ServedReplayOutcome, ServedReplayPlan } from '../../sources/served-replay.ts';
import type { PageState } from '../../state/page.ts';

/** Whether a call of this entry's lane can be replayed: only the program that serves the page can start a server. */
export function canReplay(page: PageState, key: EntryKey): boolean {
  return page.served.value !== undefined && page.timeline.value.lanes[laneOf(key)]?.served !== undefined;
}

/** Asks the user whether to replay the call of an entry, and then shows its progress and result. */
export async function replayCall(page: PageState, key: EntryKey): Promise<void> {
  const served = page.served.value;
  const of = page.timeline.value.lanes[laneOf(key)]?.served;
  const entry = (await page.engine.detail(key))?.entry;
  if (served === undefined || of === undefined) {
    page.notice.value = 'Only mcpreel view can replay calls, and only of recordings it was started with.';
    return;
  }
  if (entry?.kind !== 'message') {
    page.notice.value = 'Only requests and their responses can be replayed.';
    return;
  }
  const { api, replay } = served;
  const requested = { of, message: entry.proxyId };
  const fail = (error: unknown): void => {
    replay.value = { stage: 'failed', why: (error as Error).message };
  };
  const run = async (plan: ServedReplayPlan, typed: string): Promise<void> => {
    const cancelling = new AbortController();
    replay.value = { stage: 'running', plan, cancel: () => cancelling.abort() };
    const agreed = { ...requested, nonce: plan.nonce, typed };
    try {
      const outcome = (await api.post('/api/replay/run', agreed, cancelling.signal)) as ServedReplayOutcome;
      replay.value = { stage: 'done', plan, outcome };
    } catch (error) {
      // The user cancelled it, so show no error.
      if (!cancelling.signal.aborted) fail(error);
    }
  };
  try {
    const plan = (await api.post('/api/replay/plan', requested)) as ServedReplayPlan;
    replay.value = { stage: 'asking', plan, run: (typed) => void run(plan, typed) };
  } catch (error) {
    fail(error);
  }
}
