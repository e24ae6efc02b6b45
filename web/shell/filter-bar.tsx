import type { JSX } from 'preact';
import { usePage } from '../state/page.ts';
import { sayCount } from '../state/times.ts';

/** What narrows the rows down, as it is written, and how many are left. */
export function FilterBar(): JSX.Element {
  const page = usePage();
  const { filter } = page.place.value;
  const fault = page.filterFault.value;
  const { entries, isComplete } = page.shown.value;
  const total = page.film.value.lanes.reduce((sum, { messages }) => sum + messages, 0);
  return (
    <div class="filter">
      <span class="filter-glyph" aria-hidden="true">
        ⌕
      </span>
      <input
        class="filter-input"
        type="search"
        aria-label="Filter"
        placeholder="filter: tool:read status:error dur:>100ms"
        spellcheck={false}
        value={filter}
        aria-invalid={fault !== undefined}
        onInput={(event) => page.go({ filter: event.currentTarget.value }, 'move')}
      />
      {fault !== undefined && <span class="filter-fault">{fault.message}</span>}
      <span class="chip" role="status">
        {sayCount(entries)} of {sayCount(total)}
        {isComplete ? '' : ' …'}
      </span>
    </div>
  );
}
