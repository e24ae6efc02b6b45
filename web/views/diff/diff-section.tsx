import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DiffChoice, DiffFacts, DiffSection } from '../../model/diff/diff-facts.ts';
import type { DiffRow } from '../../model/diff/diff-rows.ts';
import { useAnswer } from '../../state/answer.ts';
import { usePage } from '../../state/page.ts';
import { formatCount } from '../../state/times.ts';
import { Difference } from './difference.tsx';

/** The number of differences shown at once. */
const PAGE = 100;

interface DiffSectionListProps {
  readonly section: DiffSection;
  readonly title: string;
  readonly facts: DiffFacts;
  readonly choice: DiffChoice;
}

/** The differences of one kind, in pages. */
export function DiffSectionList({ section, title, facts, choice }: DiffSectionListProps): JSX.Element | null {
  const page = usePage();
  const count = facts.counts[section];
  const [requested, setRequested] = useState(PAGE);
  const rows = useAnswer(() => page.engine.diffRows(section, 0, requested), [facts.version, requested]) ?? [];
  if (count === 0) return null;
  const left = count - Math.min(requested, count);
  return (
    <section class="diff-section" aria-labelledby={`diff-${section}`}>
      <h2 id={`diff-${section}`}>
        {title} <span class="diff-count">{formatCount(count)}</span>
      </h2>
      <ul>
        {rows.map((row) => (
          <Difference key={nameOf(row)} row={row} choice={choice} />
        ))}
      </ul>
      {left > 0 && (
        <button type="button" class="button" onClick={() => setRequested(requested + PAGE)}>
          Show {formatCount(Math.min(PAGE, left))} more of {formatCount(left)}
        </button>
      )}
    </section>
  );
}

/** A key that identifies a difference, so that it stays unfolded. */
function nameOf({ title, path, what, messages: { a, b } }: DiffRow): string {
  return JSON.stringify([title, path, what, a[0]?.key, b[0]?.key]);
}
