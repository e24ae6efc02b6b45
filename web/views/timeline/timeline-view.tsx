import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Row } from '../../engine/row-facts.ts';
import { RowPages } from '../../parts/row-pages.ts';
import { VirtualRows } from '../../parts/virtual-rows.tsx';
import { usePage } from '../../state/page.ts';
import { useRowOf } from '../../state/row-of.ts';
import { type TimeAxis, timeAxis } from '../../state/time-axis.ts';
import { sayDuration, sayTime } from '../../state/times.ts';
import { TimelineRow } from './timeline-row.tsx';

const ROW_PX = 28;

/** Every entry in its order, on a common axis of time. */
export function TimelineView(): JSX.Element {
  const page = usePage();
  const pages = useMemo(() => new RowPages<Row>((from, to) => page.engine.rows(from, to)), [page]);
  const { rows, version } = page.shown.value;
  const { selected, times, range } = page.place.value;
  const { span, gaps } = page.film.value;
  const [seen, setSeen] = useState({ from: 0, to: 60 });
  pages.renew(version);
  pages.want(seen.from, Math.min(seen.to, rows));
  void pages.arrived.value;
  const selectedRow = useRowOf(selected);
  const startMs = span?.fromMs ?? 0;
  const axis: TimeAxis = useMemo(
    () => timeAxis(range?.fromMs ?? startMs, range?.toMs ?? span?.toMs ?? startMs + 1, gaps),
    [range, span?.fromMs, span?.toMs, gaps],
  );
  return (
    <VirtualRows
      count={rows}
      rowHeight={ROW_PX}
      label="Timeline"
      reveal={{ row: selectedRow, when: selected }}
      onRange={(from, to) => setSeen({ from, to })}
      row={(index) => {
        const row = pages.at(index);
        if (row === undefined) return <li key={`blank-${index}`} class="row" />;
        if (row.kind === 'idle') return <IdleRow key={row.key} idleMs={row.idleMs ?? 0} />;
        const time = sayTime(row.atMs, times, startMs, pages.at(index - 1)?.atMs ?? row.atMs);
        return (
          <li key={row.key}>
            <TimelineRow
              row={row}
              axis={axis}
              time={time}
              isSelected={row.key === selected || index === selectedRow}
              onSelect={() => page.go({ selected: row.key }, 'move')}
            />
          </li>
        );
      }}
    />
  );
}

function IdleRow({ idleMs }: { readonly idleMs: number }): JSX.Element {
  return (
    <li class="row row-idle">
      <span>idle {sayDuration(idleMs)}</span>
    </li>
  );
}
