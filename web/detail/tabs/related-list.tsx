import type { JSX } from 'preact';
import { formatElapsed } from '../../../src/present/figures.ts';
import { ARROWS } from '../../../src/present/glyphs.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { EntryKey } from '../../model/entry-key.ts';
import type { RelatedEntries } from '../../model/related.ts';
import { usePage } from '../../state/page.ts';

interface RelatedListProps {
  readonly related: readonly RelatedEntries[];
  /** The start of the call; absent if the recording has no times. */
  readonly startMs: number | undefined;
  readonly label: string;
}

const NAMES: Partial<Record<RelatedEntries['why'], string>> = { input: 'input_required', retry: 'retry with' };

/** A list of related entries, one per line; a click selects the entry. */
export function RelatedList({ related, startMs, label }: RelatedListProps): JSX.Element {
  const page = usePage();
  const go = (key: EntryKey): void => page.go({ selected: key });
  return (
    <ul class="related" aria-label={label}>
      {related.map(({ row, why, words }) => (
        <li key={row.key}>
          <button type="button" class="related-row" onClick={() => go(row.key)}>
            {startMs !== undefined && <span class="related-time">{formatElapsed(row.atMs - startMs)} s</span>}
            <span class="related-glyph">{row.direction === undefined ? '·' : ARROWS[row.direction]}</span>
            <span class={row.failed ? 'tone-error' : undefined}>{visible(NAMES[why] ?? row.name)}</span>
            <span class="related-words">{visible(words)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
