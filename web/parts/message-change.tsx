import type { JSX } from 'preact';
import type { EntryKey } from '../model/entry-key.ts';
import { useAnswer } from '../state/answer.ts';
import { usePage } from '../state/page.ts';
import { ChangedLines } from './changed-lines.tsx';

/** The changes to a message before it was forwarded; nothing if it was forwarded unchanged. */
export function MessageChange({ of }: { readonly of: EntryKey }): JSX.Element | null {
  const page = usePage();
  const change = useAnswer(() => page.engine.changeOf(of), [of]);
  if (change === undefined) return null;
  return (
    <>
      <p class="hint">Original (-) and sent message (+).</p>
      {'lines' in change ? <ChangedLines lines={change.lines} /> : <p class="hint">Too long to compare.</p>}
    </>
  );
}
