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
  { sort: 'status', title: 'Status', meaning: 'Status of the call', largestFirst: false },
  { sort: 'name', title: 'Call', meaning: 'Tool or method', largestFirst: false },
  { sort: 'server', title: 'Server', meaning: 'Server name', largestFirst: false },
  { sort: 'start', title: 'Start', meaning: 'Time of the request', largestFirst: false },
  { sort: 'duration', title: 'Duration', meaning: 'From the request to the response', largestFirst: true },
  { sort: 'human', title: 'User', meaning: 'Time spent waiting for the user', largestFirst: true },
  { sort: 'sent', title: 'Request', meaning: 'Bytes of the request, including retries', largestFirst: true },
  { sort: 'received', title: 'Response', meaning: 'Bytes of the responses', largestFirst: true },
  { sort: 'progress', title: 'Progress', meaning: 'Number of progress notifications', largestFirst: true },
  {
    sort: 'requests',
    title: 'Server requests',
    meaning: 'Requests that the server sent during the call',
    largestFirst: true,
  },
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
