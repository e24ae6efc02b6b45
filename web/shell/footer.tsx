import type { JSX } from 'preact';
import { formatDuration } from '../../src/present/figures.ts';
import { useCounts } from '../state/counts.ts';
import { usePage, usePlace } from '../state/page.ts';
import { counted } from '../state/times.ts';
import { type ViewKind, viewOf } from '../views/views.ts';

interface FooterKey {
  readonly keys: readonly string[];
  readonly meaning: string;
  /** Whether the key works in a view. */
  isFor(view: ViewKind): boolean;
}

const KEYS: readonly FooterKey[] = [
  { keys: ['j', 'k'], meaning: 'move', isFor: ({ id, hasRows }) => hasRows || id === 'raw' },
  { keys: ['x'], meaning: 'pair', isFor: ({ hasDetail }) => hasDetail },
  { keys: ['/'], meaning: 'filter', isFor: ({ hasRows }) => hasRows },
  { keys: ['?'], meaning: 'keys', isFor: () => true },
];

/** The footer: totals, the note that all data stays local, and the main keys of the view. */
export function Footer(): JSX.Element {
  const { lanes, span } = usePage().timeline.value;
  const view = viewOf(usePlace('view'));
  const counts = useCounts();
  const messages = lanes.reduce((sum, lane) => sum + lane.messages, 0);
  const hasTimes = lanes.every((lane) => lane.hasTimes);
  const totals = [
    counted(messages, 'message'),
    counted(lanes.length, 'server'),
    ...(span !== undefined && hasTimes ? [formatDuration(span.toMs - span.fromMs)] : []),
  ];
  return (
    <footer class="footer">
      <span>{totals.join(' · ')}</span>
      {counts?.p50Ms !== undefined && hasTimes && (
        <span>
          p50 {formatDuration(counts.p50Ms)} · p95 {formatDuration(counts.p95Ms ?? counts.p50Ms)}
        </span>
      )}
      <span class="header-space" />
      <span class="footer-promise">local only</span>
      <span class="footer-keys" aria-hidden="true">
        {KEYS.filter(({ isFor }) => isFor(view)).map(({ keys, meaning }) => (
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
