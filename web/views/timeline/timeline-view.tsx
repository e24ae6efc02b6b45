import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { formatDuration } from '../../../src/present/figures.ts';
import type { EntryDetail } from '../../model/entry-detail.ts';
import type { RowFacts } from '../../model/row-facts.ts';
import { RowPages } from '../../parts/row-pages.ts';
import { VirtualRows } from '../../parts/virtual-rows.tsx';
import { usePage, usePlace } from '../../state/page.ts';
import { useRowOf } from '../../state/row-of.ts';
import { type TimeAxis, timeAxis } from '../../state/time-axis.ts';
import { formatTime } from '../../state/times.ts';
import { idleToggled, TimelineHead } from './timeline-head.tsx';
import { TimelineRow } from './timeline-row.tsx';

const ROW_PX = 28;

/** All entries in order, on a shared time axis. */
export function TimelineView(): JSX.Element {
  const page = usePage();
  const pages = useMemo(() => new RowPages<RowFacts>((from, to) => page.engine.rows(from, to)), [page]);
  const { rows, version, filter, head } = page.shown.value;
  const selected = usePlace('selected');
  const times = usePlace('times');
  const range = usePlace('range');
  const more = usePlace('more');
  const { span, gaps, lanes } = page.timeline.value;
  const [seen, setSeen] = useState({ from: 0, to: 60 });
  pages.renew(version);
  if (head !== undefined) pages.takeHead(head, version);
  pages.want(seen.from, Math.min(seen.to, rows));
  void pages.arrived.value;
  const selectedRow = useRowOf(selected);
  const linked = useMemo(() => linkedTo(page.detail.value), [page.detail.value]);
  const isIdleOpen = more.idle === 'open';
  const startMs = span?.fromMs ?? 0;
  const axis: TimeAxis = useMemo(
    () => timeAxis(range?.fromMs ?? startMs, range?.toMs ?? span?.toMs ?? startMs + 1, isIdleOpen ? [] : gaps),
    [range, span?.fromMs, span?.toMs, gaps, isIdleOpen],
  );
  const isLive = lanes.some(({ state }) => state === 'live');
  return (
    <div class="timeline" data-filter={rows === 0 || pages.isCurrent(seen.from) ? filter : undefined}>
      <TimelineHead />
      <VirtualRows
        count={rows}
        rowHeight={ROW_PX}
        label="Timeline"
        reveal={{ row: selectedRow, when: selected }}
        follows={isLive && page.follows.value}
        onLeaveEnd={(isAtEnd) => {
          if (isLive) page.follows.value = isAtEnd;
        }}
        onRange={(from, to) => setSeen({ from, to })}
        row={(index) => {
          const row = pages.at(index);
          if (row === undefined) return <li key={`blank-${index}`} class="row" />;
          if (row.kind === 'idle') {
            const toggle = (): void => page.go({ more: idleToggled(more, isIdleOpen) });
            return <IdleRow key={row.key} idleMs={row.idleMs ?? 0} isOpen={isIdleOpen} onToggle={toggle} />;
          }
          const time = formatTime(row.atMs, times, startMs, pages.at(index - 1)?.atMs ?? row.atMs);
          return (
            <li key={row.key}>
              <TimelineRow
                row={row}
                axis={axis}
                time={time}
                isSelected={row.key === selected || index === selectedRow}
                isLinked={linked.has(row.key)}
                onSelect={() => page.select(row.key)}
              />
            </li>
          );
        }}
      />
      {rows === 0 && <Nothing />}
    </div>
  );
}

/** The entries of the same call as the selected one. */
function linkedTo(detail: EntryDetail | undefined): ReadonlySet<number> {
  const keys = [detail?.request?.key, detail?.answer?.key, ...(detail?.related ?? []).map(({ row }) => row.key)];
  return new Set(keys.filter((key) => key !== undefined));
}

interface IdleRowProps {
  readonly idleMs: number;
  readonly isOpen: boolean;
  onToggle(): void;
}

function IdleRow({ idleMs, isOpen, onToggle }: IdleRowProps): JSX.Element {
  return (
    <li class="row row-idle">
      <button type="button" aria-pressed={isOpen} onClick={onToggle} title="Fold or show idle time on the axis">
        idle {formatDuration(idleMs)}
      </button>
    </li>
  );
}

/** The placeholder when no row matches. */
function Nothing(): JSX.Element {
  const page = usePage();
  const { filter, range } = page.place.value;
  const isReading = page.timeline.value.lanes.some(({ state }) => state === 'reading');
  if (isReading || !page.shown.value.isComplete) return <p class="nothing">Loading…</p>;
  const isNarrowed = filter !== '' || range !== undefined;
  return (
    <p class="nothing">
      {isNarrowed ? 'No matches. ' : 'This recording has no messages. '}
      {isNarrowed && (
        <button type="button" class="button" onClick={() => page.go({ filter: '', range: undefined })}>
          Clear filter
        </button>
      )}
    </p>
  );
}
