import type { JSX } from 'preact';
import type { Row } from '../../engine/row-facts.ts';
import { visible } from '../../parts/visible-text.ts';
import { laneClass } from '../../state/lane-colours.ts';
import type { TimeAxis } from '../../state/time-axis.ts';
import { sayDuration } from '../../state/times.ts';

const GLYPHS = { client_to_server: '▶', server_to_client: '◀' } as const;
const SAID = { client_to_server: 'client to server', server_to_client: 'server to client' } as const;
const MARKS = { modified: '✎', dropped: '✕', injected: '+' } as const;

interface TimelineRowProps {
  readonly row: Row;
  readonly axis: TimeAxis;
  readonly time: string;
  readonly isSelected: boolean;
  /** Whether it belongs to the same call as the one that is selected. */
  readonly isLinked: boolean;
  onSelect(): void;
}

/** One line of the timeline: when, who to whom, what, and how long it took on the common axis. */
export function TimelineRow({ row, axis, time, isSelected, isLinked, onSelect }: TimelineRowProps): JSX.Element {
  const dim = row.kind === 'notification' || row.kind === 'event' || row.kind === 'other' || row.kind === 'answer';
  const classes = [
    'row',
    laneClass(row.lane),
    dim && 'dim',
    row.failed && 'failed',
    isSelected && 'selected',
    isLinked && 'linked',
  ];
  return (
    <button
      type="button"
      class={classes.filter(Boolean).join(' ')}
      aria-current={isSelected}
      onClick={onSelect}
      data-key={row.key}
    >
      <span class="row-time">{time}</span>
      <span class="row-lane" />
      <span class="row-direction" title={row.direction && SAID[row.direction]}>
        {row.direction === undefined ? '·' : GLYPHS[row.direction]}
      </span>
      <span class="row-name">
        {row.kind === 'answer' && '↳ '}
        {visible(row.name)}
      </span>
      <span class="row-brief">
        {row.mark !== undefined && <span class="row-mark">{`${MARKS[row.mark]} ${row.mark} · `}</span>}
        {visible(row.brief)}
      </span>
      <span class="row-axis">{row.kind === 'call' && <Bar row={row} axis={axis} />}</span>
      <span class="row-state">{stateOf(row)}</span>
    </button>
  );
}

function Bar({ row, axis }: { readonly row: Row; readonly axis: TimeAxis }): JSX.Element {
  const from = axis.at(row.atMs);
  const to = axis.at(row.atMs + (row.durationMs ?? 0));
  const share = row.durationMs ? Math.min(1, row.humanMs / row.durationMs) : 0;
  return (
    <span
      class={`bar ${row.status ?? ''}`}
      style={{ left: `min(${from * 100}%, 100% - 8px)`, width: `max(8px, ${(to - from) * 100}%)` }}
    >
      {share > 0 && <span class="bar-human" style={{ width: `${share * 100}%` }} />}
      {row.progressMs.map((atMs) => (
        <span key={atMs} class="bar-tick" style={{ left: `${tickPlace(row, atMs) * 100}%` }} />
      ))}
    </span>
  );
}

function tickPlace({ atMs, durationMs }: Row, tickMs: number): number {
  return durationMs ? Math.min(1, Math.max(0, (tickMs - atMs) / durationMs)) : 0;
}

function stateOf({ kind, status, durationMs }: Row): string {
  if (kind !== 'call') return '';
  const took = durationMs === undefined ? '' : sayDuration(durationMs);
  switch (status) {
    case 'error':
      return `✕ ${took}`;
    case 'pending':
      return '…';
    case 'cancelled':
      return `⊘ ${took || 'cancelled'}`;
    case 'late':
      return `late ${took}`;
    case 'stream':
      return 'stream';
    default:
      return took;
  }
}
