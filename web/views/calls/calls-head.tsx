import type { JSX } from 'preact';
import { TitleCell, TitleRow } from '../../parts/virtual-table.tsx';
import { usePage } from '../../state/page.ts';
import { CALL_COLUMNS, type CallColumn, type CallOrder, sortedBy, withCallOrder } from './call-columns.ts';

/** The column titles; a click sorts the calls by that column. */
export function CallsHead({ order }: { readonly order: CallOrder }): JSX.Element {
  return (
    <TitleRow class="call call-head">
      {CALL_COLUMNS.slice(0, 4).map((column) => (
        <Title key={column.sort} column={column} order={order} />
      ))}
      <TitleCell class="call-axis">Waterfall</TitleCell>
      {CALL_COLUMNS.slice(4).map((column) => (
        <Title key={column.sort} column={column} order={order} />
      ))}
    </TitleRow>
  );
}

function Title({ column, order }: { readonly column: CallColumn; readonly order: CallOrder }): JSX.Element {
  const page = usePage();
  const { sort, title, meaning } = column;
  const isSorted = order.sort === sort;
  return (
    <TitleCell class={`call-${sort}`} {...(isSorted && { sorted: order.descending ? 'descending' : 'ascending' })}>
      <button
        type="button"
        title={meaning}
        onClick={() => page.go({ more: withCallOrder(page.place.value.more, sortedBy(order, column)) }, 'move')}
      >
        {title}
        <span class="call-arrow" aria-hidden="true">
          {isSorted ? (order.descending ? ' ▾' : ' ▴') : ''}
        </span>
      </button>
    </TitleCell>
  );
}
