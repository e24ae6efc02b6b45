import type { JSX } from 'preact';
import { CALL_GROUPINGS, type CallGrouping, type CallListFacts } from '../../model/calls/call-list.ts';
import { usePage } from '../../state/page.ts';
import { counted } from '../../state/times.ts';
import { type CallOrder, withCallOrder } from './call-columns.ts';

const GROUPINGS: Readonly<Record<CallGrouping, string>> = { none: 'none', tool: 'tool', server: 'server' };

interface CallsToolsProps {
  readonly list: CallListFacts | undefined;
  readonly order: CallOrder;
  readonly closed: readonly string[];
  onClosed(closed: readonly string[]): void;
}

/** The number of calls, and a menu to group them. */
export function CallsTools({ list, order, closed, onClosed }: CallsToolsProps): JSX.Element {
  const page = usePage();
  const groupBy = (group: CallGrouping): void => {
    page.go({ more: withCallOrder(page.place.value.more, { ...order, group }) }, 'move');
    onClosed([]);
  };
  const groups = list?.groups ?? [];
  return (
    <div class="view-tools">
      <span role="status">{list === undefined ? 'Loading…' : formatCalls(list)}</span>
      <label class="view-choice">
        Group by{' '}
        <select
          value={order.group}
          onChange={(event) => groupBy(CALL_GROUPINGS.find((id) => id === event.currentTarget.value) ?? 'none')}
        >
          {CALL_GROUPINGS.map((id) => (
            <option key={id} value={id}>
              {GROUPINGS[id]}
            </option>
          ))}
        </select>
      </label>
      {groups.length > 0 && (
        <button type="button" class="button" onClick={() => onClosed(closed.length < groups.length ? groups : [])}>
          {closed.length < groups.length ? 'Fold all' : 'Unfold all'}
        </button>
      )}
    </div>
  );
}

function formatCalls({ calls, errors }: CallListFacts): string {
  return `${counted(calls, 'call')}${errors > 0 ? `, ${counted(errors, 'error')}` : ''}`;
}
