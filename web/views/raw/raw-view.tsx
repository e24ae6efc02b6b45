import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { laneOf } from '../../model/entry-key.ts';
import type { RawLine } from '../../model/raw/raw-lines.ts';
import type { RawFacts } from '../../model/raw/raw-queries.ts';
import { useChosenLane } from '../../parts/lane-choice.tsx';
import { RowPages } from '../../parts/row-pages.ts';
import { VirtualRows } from '../../parts/virtual-rows.tsx';
import { usePage } from '../../state/page.ts';
import { RawLineItem } from './raw-line-item.tsx';
import { RawLinePane } from './raw-line-pane.tsx';
import { RawTools } from './raw-tools.tsx';

const ROW_PX = 20;
/** The interval for asking how many lines are found. */
const LOOK_AGAIN_MS = 150;

/** The lines of a file, unchanged. */
export function RawView(): JSX.Element {
  const page = usePage();
  const { more } = page.place.value;
  const lane = useChosenLane();
  const line = /^\d{1,15}$/.test(more.line ?? '') ? Number(more.line) : undefined;
  const facts = useRawFacts(lane);
  const [seen, setSeen] = useState({ from: 0, to: 60 });
  const pages = useMemo(() => new RowPages<RawLine>((from, to) => page.engine.rawRows(lane, from, to)), [page, lane]);
  const count = facts?.lines ?? 0;
  // Existing lines do not change, but the last page may have grown.
  pages.renew(`${lane} ${count} ${facts?.problems}`);
  pages.want(seen.from, Math.min(seen.to, count));
  void pages.arrived.value;
  const bad = useMemo(() => new Map(facts?.bad.map((found) => [found.line, found.what])), [facts?.bad]);
  useSelectedLine(lane, facts);
  // Going to a line deselects the entry that led here.
  const go = (to: number): void =>
    page.go({ more: { ...more, lane: String(lane), line: String(to) }, selected: undefined }, 'move');
  useSteps(line ?? 0, count, go);
  return (
    <div class="raw">
      <RawTools lane={lane} line={line} facts={facts} onLine={go} />
      <VirtualRows
        count={count}
        rowHeight={ROW_PX}
        label="Lines"
        reveal={{
          row: line === undefined ? undefined : Math.min(count, line) - 1,
          when: `${lane} ${line} ${count > 0}`,
        }}
        onRange={(from, to) => setSeen({ from, to })}
        row={(index) => {
          const found = pages.at(index);
          if (found === undefined) return <li key={`blank-${index}`} class="raw-line" />;
          return (
            <RawLineItem
              key={found.number}
              line={found}
              problem={bad.get(found.number)}
              isSelected={found.number === line}
              onSelect={() => go(found.number)}
            />
          );
        }}
      />
      {line !== undefined && (
        <RawLinePane key={`${lane} ${line}`} lane={lane} line={line} problem={bad.get(line)} isThere={line <= count} />
      )}
    </div>
  );
}

/** The facts about a lane's lines, fetched again until all lines are found. */
function useRawFacts(lane: number): RawFacts | undefined {
  const page = usePage();
  const [facts, setFacts] = useState<{ lane: number; facts: RawFacts | undefined } | undefined>(undefined);
  const { version } = page.timeline.value;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isRequested = true;
    const ask = async (): Promise<void> => {
      const found = await page.engine.rawFacts(lane);
      if (!isRequested) return;
      setFacts({ lane, facts: found });
      if (found?.isComplete === false) timer = setTimeout(() => void ask(), LOOK_AGAIN_MS);
    };
    void ask();
    return () => {
      isRequested = false;
      clearTimeout(timer);
    };
  }, [lane, version]);
  return facts?.lane === lane ? facts.facts : undefined;
}

/** If an entry is selected, go to its line. */
function useSelectedLine(lane: number, facts: RawFacts | undefined): void {
  const page = usePage();
  const { selected } = page.place.value;
  const isReady = facts?.isComplete === true && page.timeline.value.lanes[lane]?.state !== 'reading';
  useEffect(() => {
    let isRequested = true;
    if (selected === undefined || !isReady) return undefined;
    void page.engine.rawLineOf(selected).then((found) => {
      if (!isRequested || found === undefined) return;
      const more = { ...page.place.value.more, lane: String(laneOf(selected)), line: String(found) };
      page.go({ more }, 'move');
    });
    return () => {
      isRequested = false;
    };
  }, [selected, isReady]);
}

/** In this view, the row keys move from line to line. */
function useSteps(line: number, count: number, go: (line: number) => void): void {
  const page = usePage();
  useEffect(() => {
    page.stepper.value = (rows) => {
      if (count > 0) go(Math.min(count, Math.max(1, line + rows)));
    };
    return () => {
      page.stepper.value = undefined;
    };
  });
}
