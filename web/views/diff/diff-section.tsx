import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DiffFacts, DiffSection, DiffChoice } from '../../model/diff/diff-facts.ts';
import type { DiffRow } from '../../model/diff/diff-rows.ts';
import { useAnswer } from '../../state/answer.ts';
import { usePage } from '../../state/page.ts';
import { sayCount } from '../../state/times.ts';
import { Difference } from './difference.tsx';

/** So many differences are shown at once. */
const PAGE = 100;

interface DiffSectionListProps {
  readonly section: DiffSection;
  readonly title: string;
  readonly facts: DiffFacts;
  readonly wish: DiffChoice;
}

/** The differences of one kind, in portions. */
export function DiffSectionList({ section, title, facts, wish }: DiffSectionListProps): JSX.Element | null {
  const page = usePage();
  const count = facts.counts[section];
  const [wanted, setWanted] = useState(PAGE);
  const rows = useAnswer(() => page.engine.diffRows(section, 0, wanted), [facts.version, wanted]) ?? [];
  if (count === 0) return null;
  const left = count - Math.min(wanted, count);
  return (
    <section class="diff-section" aria-labelledby={`diff-${section}`}>
      <h2 id={`diff-${section}`}>
        {title} <span class="diff-count">{sayCount(count)}</span>
      </h2>
      <ul>
        {rows.map((row) => (
          <Difference key={nameOf(row)} row={row} wish={wish} />
        ))}
      </ul>
      {left > 0 && (
        <button type="button" class="button" onClick={() => setWanted(wanted + PAGE)}>
          Show {sayCount(Math.min(PAGE, left))} more of {sayCount(left)}
        </button>
      )}
    </section>
  );
}

/** What tells a difference from the others, so that what is unfolded stays with it. */
function nameOf({ title, path, what, messages: { a, b } }: DiffRow): string {
  return JSON.stringify([title, path, what, a[0]?.key, b[0]?.key]);
}
