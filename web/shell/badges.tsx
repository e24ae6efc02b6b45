import type { JSX } from 'preact';
import { visible } from '../../src/present/visible-text.ts';
import { usePage } from '../state/page.ts';
import { LiveBadge } from '../views/live/live-badge.tsx';
import { useRemarks } from './remarks.ts';

/** Badges for the state of the open recordings: still being read, cut short, or incomplete. */
export function Badges(): JSX.Element {
  const page = usePage();
  const { lanes } = page.timeline.value;
  const { isExplained, downloads } = page.opening;
  const remarks = useRemarks();
  const reading = lanes.filter(({ state }) => state === 'reading');
  const size = reading.reduce((sum, lane) => sum + lane.size, 0);
  const read = reading.reduce((sum, lane) => sum + Math.min(lane.bytesRead, lane.size), 0);
  return (
    <>
      <span class="badges" role="status">
        {downloads.value.length > 0 && <span class="badge">fetching</span>}
        {reading.length > 0 && <span class="badge">reading {size === 0 ? 0 : Math.floor((read / size) * 100)} %</span>}
        <LiveBadge />
      </span>
      {remarks.map(({ id, badge, sentences }) => (
        <button
          key={id}
          type="button"
          class="badge badge-waiting"
          title={visible(sentences.join('\n'))}
          aria-expanded={isExplained.value}
          onClick={() => {
            isExplained.value = !isExplained.value;
          }}
        >
          {badge}
        </button>
      ))}
    </>
  );
}
