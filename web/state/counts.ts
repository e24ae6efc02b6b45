import { useEffect, useMemo, useState } from 'preact/hooks';
import type { TimelineCounts } from '../model/timeline/timeline-counts.ts';
import { DebouncedValue } from './debounced-value.ts';
import { type PageState, usePage } from './page.ts';

/** The minimum time between counts while much data arrives. */
const PAUSE_MS = 2000;

/** The number of entries of each kind, at most two seconds old. */
export function useCounts(): TimelineCounts | undefined {
  const page = usePage();
  const [counts, setCounts] = useState<TimelineCounts | undefined>(undefined);
  const counting = useMemo(() => new DebouncedValue(() => void countsOf(page).then(setCounts), PAUSE_MS), [page]);
  const { version, lanes } = page.timeline.value;
  const isMoving = lanes.some(({ state }) => state === 'reading' || state === 'live');
  useEffect(() => counting.due(isMoving), [version, isMoving]);
  useEffect(() => () => counting.stop(), [counting]);
  return counts;
}

/** Several components use the counts, so they share one query. */
function countsOf(page: PageState): Promise<TimelineCounts> {
  const { version } = page.timeline.peek();
  if (requested === undefined || requested.page !== page || requested.version !== version) {
    requested = { page, version, counts: page.engine.counts() };
  }
  return requested.counts;
}

let requested:
  | { readonly page: PageState; readonly version: number; readonly counts: Promise<TimelineCounts> }
  | undefined;
