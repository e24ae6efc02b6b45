import { CALL_GROUPINGS, type CallGrouping } from '../../model/calls/call-list.ts';
import { CALL_SORTS, type CallSort } from '../../model/calls/call-order.ts';
import type { PageAddress } from '../../state/place.ts';

/** A column of the list of calls. */
export interface CallColumn {
  readonly sort: CallSort;
  readonly title: string;
  /** A description in one sentence. */
  readonly meaning: string;
  /** Whether the first click sorts the largest first. */
  readonly largestFirst: boolean;
}

export const CALL_COLUMNS: readonly CallColumn[] = [
  { sort: 'status', title: 'Status', meaning: 'How it went', largestFirst: false },
  { sort: 'name', title: 'Call', meaning: 'The tool, or the method', largestFirst: false },
  { sort: 'server', title: 'Server', meaning: 'Which server', largestFirst: false },
  { sort: 'start', title: 'Start', meaning: 'When it was asked', largestFirst: false },
  { sort: 'duration', title: 'Took', meaning: 'From the request to the answer', largestFirst: true },
  { sort: 'human', title: 'Person', meaning: 'The part of that time in which a person was asked', largestFirst: true },
  { sort: 'sent', title: 'Sent', meaning: 'Bytes of the request, retries and all', largestFirst: true },
  { sort: 'received', title: 'Received', meaning: 'Bytes of the answers', largestFirst: true },
  { sort: 'progress', title: 'Progress', meaning: 'How often it told of its progress', largestFirst: true },
  { sort: 'requests', title: 'Asked back', meaning: 'Requests of the server while it ran', largestFirst: true },
];

/** The sort order and grouping of the calls, as stored in a link. */
export interface CallOrder {
  readonly sort: CallSort;
  readonly descending: boolean;
  readonly group: CallGrouping;
}

/** Parses `sort=-duration` and `group=tool`. */
export function readCallOrder({ sort = '', group }: PageAddress['more']): CallOrder {
  const descending = sort.startsWith('-');
  return {
    sort: CALL_SORTS.find((known) => known === sort.replace(/^-/, '')) ?? 'start',
    descending,
    group: CALL_GROUPINGS.find((known) => known === group) ?? 'none',
  };
}

/** Adds the order to the other parameters of a link, leaving out defaults. */
export function withCallOrder(more: PageAddress['more'], { sort, descending, group }: CallOrder): PageAddress['more'] {
  const { sort: _sort, group: _group, ...rest } = more;
  return {
    ...rest,
    ...((sort !== 'start' || descending) && { sort: `${descending ? '-' : ''}${sort}` }),
    ...(group !== 'none' && { group }),
  };
}

/** The order after a click on a column title: sorted by that column, or reversed if it already is. */
export function sortedBy(order: CallOrder, { sort, largestFirst }: CallColumn): CallOrder {
  return { ...order, sort, descending: order.sort === sort ? !order.descending : largestFirst };
}
