import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { CallListRow } from '../../model/calls/call-list.ts';
import { RowPages } from '../../parts/row-pages.ts';
import { VirtualRows } from '../../parts/virtual-rows.tsx';
import { VirtualTable } from '../../parts/virtual-table.tsx';
import { useAnswer } from '../../state/answer.ts';
import { usePage } from '../../state/page.ts';
import { timeAxis } from '../../state/time-axis.ts';
import { formatTime } from '../../state/times.ts';
import { readCallOrder } from './call-columns.ts';
import { CallGroupItem, CallItem } from './call-item.tsx';
import { CallsHead } from './calls-head.tsx';
import { CallsTools } from './calls-tools.tsx';
import { Conversation } from './conversation.tsx';

const ROW_PX = 28;

/** The shown calls in any order, on one time axis, next to the conversation around them. */
export function CallsView(): JSX.Element {
  const page = usePage();
  const { more, selected, times, range } = page.place.value;
  const { span, gaps, lanes } = page.timeline.value;
  const { version } = page.shown.value;
  const order = readCallOrder(more);
  const [closed, setClosed] = useState<readonly string[]>([]);
  const [seen, setSeen] = useState({ from: 0, to: 60 });
  const list = useAnswer(
    () => page.engine.callList({ ...order, closed }),
    [version, order.sort, order.descending, order.group, closed],
  );
  const pages = useMemo(() => new RowPages<CallListRow>((from, to) => page.engine.callRows(from, to)), [page]);
  const count = list?.rows ?? 0;
  pages.renew(list);
  if (list !== undefined) pages.want(seen.from, Math.min(seen.to, count));
  void pages.arrived.value;
  const selectedRow = useAnswer(
    async () => (selected === undefined ? undefined : page.engine.callRowOf(selected)),
    [selected, list],
  );
  useSteps();
  const startMs = span?.fromMs ?? 0;
  const axis = useMemo(
    () => timeAxis(range?.fromMs ?? startMs, range?.toMs ?? span?.toMs ?? startMs + 1, gaps),
    [range, span?.fromMs, span?.toMs, gaps],
  );
  const hasTimes = lanes.every((lane) => lane.hasTimes);
  const toggle = (id: string): void =>
    setClosed(closed.includes(id) ? closed.filter((other) => other !== id) : [...closed, id]);
  return (
    <div class={`calls${lanes.length > 1 ? ' calls-many' : ''}`}>
      <CallsTools list={list} order={order} closed={closed} onClosed={setClosed} />
      <div class="calls-stage">
        <Conversation />
        <VirtualTable class="calls-table" label="Calls" rows={count}>
          <CallsHead order={order} />
          <VirtualRows
            count={count}
            rowHeight={ROW_PX}
            label="Calls"
            listRole="rowgroup"
            reveal={{ row: selectedRow, when: selected }}
            onRange={(from, to) => setSeen({ from, to })}
            row={(index) => {
              const row = pages.at(index);
              if (row === undefined) return <div key={`blank-${index}`} class="call" />;
              if (row.kind === 'group') {
                return <CallGroupItem key={row.id} group={row} onToggle={() => toggle(row.id)} />;
              }
              return (
                <CallItem
                  key={row.key}
                  call={row}
                  axis={axis}
                  server={lanes[row.row.lane]?.label ?? ''}
                  time={hasTimes ? formatTime(row.row.atMs, times, startMs, startMs) : ''}
                  isSelected={index === selectedRow}
                  onSelect={() => page.select(row.key)}
                />
              );
            }}
          />
          {list !== undefined && count === 0 && <p class="nothing">No calls match.</p>}
        </VirtualTable>
      </div>
    </div>
  );
}

/** The row keys follow the order of this list. */
function useSteps(): void {
  const page = usePage();
  useEffect(() => {
    page.stepper.value = (rows) => page.engine.callStep(page.place.value.selected, rows);
    return () => {
      page.stepper.value = undefined;
    };
  }, [page]);
}
