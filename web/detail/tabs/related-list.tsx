import type { JSX } from 'preact';
import type { EntryKey } from '../../engine/entry-key.ts';
import type { Related } from '../../engine/related.ts';
import { visible } from '../../parts/visible-text.ts';
import { usePage } from '../../state/page.ts';

interface RelatedListProps {
  readonly related: readonly Related[];
  /** When the call began; absent where nobody knows times. */
  readonly startMs: number | undefined;
  readonly label: string;
}

const GLYPHS = { client_to_server: '▶', server_to_client: '◀' } as const;
const NAMES: Partial<Record<Related['why'], string>> = { input: 'input_required', retry: 'retry with' };

/** What else happened, a line each; a click leads there. */
export function RelatedList({ related, startMs, label }: RelatedListProps): JSX.Element {
  const page = usePage();
  const go = (key: EntryKey): void => page.go({ selected: key });
  return (
    <ul class="related" aria-label={label}>
      {related.map(({ row, why, words }) => (
        <li key={row.key}>
          <button type="button" class="related-row" onClick={() => go(row.key)}>
            {startMs !== undefined && <span class="related-time">{sayOffset(row.atMs - startMs)}</span>}
            <span class="related-glyph">{row.direction === undefined ? '·' : GLYPHS[row.direction]}</span>
            <span class={row.failed ? 'tone-error' : undefined}>{visible(NAMES[why] ?? row.name)}</span>
            <span class="related-words">{visible(words)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** How long after the beginning. */
export function sayOffset(ms: number): string {
  const sign = ms < 0 ? '−' : '+';
  const abs = Math.abs(ms);
  return abs < 10_000 ? `${sign}${(abs / 1000).toFixed(abs < 1000 ? 3 : 2)} s` : `${sign}${(abs / 1000).toFixed(1)} s`;
}
