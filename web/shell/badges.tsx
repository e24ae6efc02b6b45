import type { JSX } from 'preact';
import { usePage } from '../state/page.ts';
import { sayCount } from '../state/times.ts';

/** What has to be said about what is open: that it is still read, cut short, or not all there. */
export function Badges(): JSX.Element {
  const { lanes } = usePage().film.value;
  const reading = lanes.filter(({ state }) => state === 'reading');
  const size = reading.reduce((sum, lane) => sum + lane.size, 0);
  const read = reading.reduce((sum, lane) => sum + Math.min(lane.bytesRead, lane.size), 0);
  const problems = lanes.reduce((sum, lane) => sum + lane.problems, 0);
  return (
    <span class="badges" role="status">
      {reading.length > 0 && <span class="badge">reading {size === 0 ? 0 : Math.floor((read / size) * 100)} %</span>}
      {problems > 0 && <span class="badge badge-waiting">{sayCount(problems)} lines not read</span>}
      {lanes.some(({ state }) => state === 'live') && <span class="badge badge-ok">● live</span>}
    </span>
  );
}
