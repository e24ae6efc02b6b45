import type { JSX } from 'preact';
import { usePage } from '../state/page.ts';
import { sayCount, sayDuration } from '../state/times.ts';

/** Totals, and what may be trusted: nothing leaves this browser. */
export function Footer(): JSX.Element {
  const { lanes, span } = usePage().film.value;
  const messages = lanes.reduce((sum, lane) => sum + lane.messages, 0);
  const servers = lanes.length === 1 ? '1 server' : `${lanes.length} servers`;
  return (
    <footer class="footer">
      <span>
        {sayCount(messages)} messages · {servers}
        {span !== undefined && lanes.every(({ hasTimes }) => hasTimes) && ` · ${sayDuration(span.toMs - span.fromMs)}`}
      </span>
      <span class="header-space" />
      <span>stays in this browser</span>
    </footer>
  );
}
