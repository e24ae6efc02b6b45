import type { JSX } from 'preact';
import { visible } from '../parts/visible-text.ts';
import { useDetail } from '../state/detail.ts';

/** What is known of the selected entry. */
export function DetailPane(): JSX.Element {
  const detail = useDetail();
  if (detail === undefined) return <aside class="detail detail-empty">Select a message to see what was said.</aside>;
  const { entry, row } = detail;
  return (
    <aside class="detail" aria-label="Detail">
      <h2>{visible(row.name)}</h2>
      <pre>{visible(entry.kind === 'event' ? entry.raw : entry.text)}</pre>
    </aside>
  );
}
