import type { JSX } from 'preact';
import { numberText } from '../../../src/model/message-number.ts';
import { statusWords } from '../../../src/present/call-words.ts';
import { ARROWS, DIRECTION_WORDS, MARK_GLYPHS, MARK_WORDS, STATUS_GLYPHS } from '../../../src/present/glyphs.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { RowFacts } from '../../model/row-facts.ts';
import { CallBar } from '../../parts/call-bar.tsx';
import { laneClass } from '../../state/lane-colours.ts';
import type { TimeAxis } from '../../state/time-axis.ts';

interface TimelineRowProps {
  readonly row: RowFacts;
  readonly axis: TimeAxis;
  readonly time: string;
  readonly isSelected: boolean;
  /** Whether it belongs to the same call as the selected entry. */
  readonly isLinked: boolean;
  onSelect(): void;
}

/** One row of the timeline: its time, direction, name, and its duration on the shared axis. */
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
      <span class="row-time" title={row.sequence === undefined ? undefined : numberText(row.sequence)}>
        {time}
      </span>
      <span class="row-lane" />
      <span class="row-direction" title={row.direction && DIRECTION_WORDS[row.direction]}>
        {row.direction === undefined ? '·' : ARROWS[row.direction]}
      </span>
      <span class="row-name">
        {row.kind === 'answer' && '↳ '}
        {visible(row.name)}
      </span>
      <span class="row-brief">
        {row.mark !== undefined && `${MARK_GLYPHS[row.mark]} ${MARK_WORDS[row.mark]} · `}
        {visible(row.brief)}
      </span>
      <span class="row-axis">{row.kind === 'call' && <CallBar row={row} axis={axis} />}</span>
      <span class="row-state">{stateOf(row)}</span>
    </button>
  );
}

function stateOf({ kind, status, durationMs, failed, isOrphan }: RowFacts): string {
  if (isOrphan) return 'orphan';
  if (kind !== 'call') return failed ? STATUS_GLYPHS.error : '';
  if (status === 'pending' || status === undefined) return STATUS_GLYPHS.pending;
  const words = statusWords(status, durationMs);
  return status === 'error' ? `${STATUS_GLYPHS.error} ${words || status}` : words;
}
