import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { differenceCounts } from '../../../src/present/figures.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { DiffFacts } from '../../model/diff/diff-facts.ts';
import { FilePicker } from '../../sources/file-picker.tsx';
import { usePage } from '../../state/page.ts';
import { counted, formatCount } from '../../state/times.ts';
import { DiffBar } from './diff-bar.tsx';
import { choiceIn } from './diff-place.ts';
import { DiffRules } from './diff-rules.tsx';
import { DiffSectionList } from './diff-section.tsx';

/** Compares two sessions: the server's contract, the calls and their responses. */
export function DiffView(): JSX.Element {
  const { lanes } = usePage().timeline.value;
  if (lanes.length >= 2) return <Comparison />;
  return (
    <div class="diff-empty">
      <p>Pick a recording to compare with {visible(lanes[0]?.label ?? 'this one')}.</p>
      <FilePicker label="Choose a file" how={{ adds: true }} />
      <p class="diff-hint">Or Shift-drop a file here.</p>
    </div>
  );
}

function Comparison(): JSX.Element {
  const page = usePage();
  const { lanes } = page.timeline.value;
  const choice = choiceIn(page.place.value);
  const [facts, setFacts] = useState<DiffFacts | undefined>(undefined);
  const [a, b] = [lanes[choice.a], lanes[choice.b]];
  const isReading = a?.state === 'reading' || b?.state === 'reading';
  const about = JSON.stringify([choice, a?.entries, b?.entries]);
  useEffect(() => {
    let isRequested = true;
    if (!isReading) void page.engine.diff(choice).then((found) => isRequested && setFacts(found));
    return () => {
      isRequested = false;
    };
  }, [about, isReading]);
  return (
    <div class="diff">
      <DiffBar choice={choice} />
      <DiffRules choice={choice} />
      <Summary facts={isReading ? undefined : facts} />
      {facts?.fault === undefined && facts !== undefined && (
        <>
          <DiffSectionList section="contract" title="Definitions" facts={facts} choice={choice} />
          <DiffSectionList section="sequence" title="Calls" facts={facts} choice={choice} />
          <DiffSectionList section="values" title="Values" facts={facts} choice={choice} />
        </>
      )}
    </div>
  );
}

function Summary({ facts }: { readonly facts: DiffFacts | undefined }): JSX.Element {
  return (
    <p class="diff-summary" role="status">
      {facts === undefined ? 'Comparing …' : visible(facts.fault ?? summaryOf(facts))}
    </p>
  );
}

function summaryOf({ counts, breaking, calls }: DiffFacts): string {
  const total = counts.contract + counts.sequence + counts.values;
  const compared = `${formatCount(calls.a)} and ${formatCount(calls.b)} calls compared`;
  if (total === 0) return `No differences: ${compared}.`;
  return `${counted(total, 'difference')}: ${differenceCounts({ ...counts, breaking }).join(', ')}. ${compared}.`;
}
