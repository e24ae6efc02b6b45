import type { JSX } from 'preact';
import { useCounts } from '../state/counts.ts';
import { usePage } from '../state/page.ts';
import { counted, formatCount } from '../state/times.ts';
import { hasTerm, toggleTerm } from './filter-completion.ts';

/** Counts of entries by kind; a click filters by one kind, and a second click removes the filter. */
export function Chips(): JSX.Element {
  const page = usePage();
  const counts = useCounts();
  const { filter, range } = page.place.value;
  const { entries, isComplete } = page.shown.value;
  const total = page.timeline.value.lanes.reduce((sum, { messages }) => sum + messages, 0);
  const isNarrowed = (filter.trim() !== '' && page.filterFault.value === undefined) || range !== undefined;
  const chip = (count: number | undefined, words: string, term: string, tone = ''): JSX.Element | undefined => {
    if (!count) return undefined;
    const isOn = hasTerm(filter, term);
    return (
      <button
        type="button"
        class={`chip chip-button ${tone}`}
        aria-pressed={isOn}
        onClick={() => page.go({ filter: toggleTerm(filter, term) })}
      >
        {words}
      </button>
    );
  };
  return (
    <span class="chips">
      {chip(counts?.errors, `✕ ${counted(counts?.errors ?? 0, 'error')}`, 'status:error', 'chip-error')}
      {chip(counts?.pending, `… ${formatCount(counts?.pending ?? 0)} pending`, 'status:pending')}
      {chip(counts?.fromServer, `◀ ${counted(counts?.fromServer ?? 0, 'server request')}`, 'kind:request dir:<')}
      {chip(counts?.changed, `✎ ${formatCount(counts?.changed ?? 0)} changed`, '(edited or dropped or injected)')}
      {range !== undefined && (
        <button type="button" class="chip chip-button" onClick={() => page.go({ range: undefined })}>
          ⇤⇥ Time range ✕
        </button>
      )}
      <span class="chip" role="status">
        {isNarrowed
          ? `${formatCount(entries)} of ${counted(Math.max(total, entries), 'message')}`
          : counted(total, 'message')}
        {isComplete ? '' : ' …'}
      </span>
    </span>
  );
}
