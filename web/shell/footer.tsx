import type { JSX } from 'preact';
import { useCounts } from '../state/counts.ts';
import { usePage } from '../state/page.ts';
import { sayCount, sayDuration } from '../state/times.ts';

const KEYS = [
  [['j', 'k'], 'move'],
  [['x'], 'pair'],
  [['/'], 'filter'],
  [['?'], 'keys'],
] as const;

/** Totals, what may be trusted (nothing leaves this browser), and the keys that matter. */
export function Footer(): JSX.Element {
  const { lanes, span } = usePage().film.value;
  const counts = useCounts();
  const messages = lanes.reduce((sum, lane) => sum + lane.messages, 0);
  const hasTimes = lanes.every((lane) => lane.hasTimes);
  const totals = [
    `${sayCount(messages)} messages`,
    lanes.length === 1 ? '1 server' : `${lanes.length} servers`,
    ...(span !== undefined && hasTimes ? [sayDuration(span.toMs - span.fromMs)] : []),
  ];
  return (
    <footer class="footer">
      <span>{totals.join(' · ')}</span>
      {counts?.p50Ms !== undefined && hasTimes && (
        <span>
          p50 {sayDuration(counts.p50Ms)} · p95 {sayDuration(counts.p95Ms ?? counts.p50Ms)}
        </span>
      )}
      <span class="header-space" />
      <span class="footer-promise">stays in this browser</span>
      <span class="footer-keys" aria-hidden="true">
        {KEYS.map(([keys, meaning]) => (
          <span key={meaning}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
            {meaning}
          </span>
        ))}
      </span>
    </footer>
  );
}
