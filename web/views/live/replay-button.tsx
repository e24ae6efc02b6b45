import type { JSX } from 'preact';
import type { EntryDetail } from '../../model/entry-detail.ts';
import { usePage } from '../../state/page.ts';
import { canReplay, replayCall } from './replay-call.ts';

/** A button that replays the call of an entry, if that is possible. */
export function ReplayButton({ detail }: { readonly detail: EntryDetail }): JSX.Element | null {
  const page = usePage();
  const { key, outcome } = detail;
  if (outcome === undefined || !canReplay(page, key)) return null;
  return (
    <button type="button" class="button" onClick={() => void replayCall(page, key)}>
      Replay
    </button>
  );
}
