import type { JSX } from 'preact';
import { visible } from '../../../src/present/visible-text.ts';
import type { RawFacts } from '../../model/raw/raw-queries.ts';
import { LaneChoice } from '../../parts/lane-choice.tsx';
import { usePage } from '../../state/page.ts';
import { counted, formatCount } from '../../state/times.ts';
import { badLineFrom } from './bad-line.ts';

interface RawToolsProps {
  readonly lane: number;
  readonly line: number | undefined;
  readonly facts: RawFacts | undefined;
  onLine(line: number): void;
}

/** The maximum number of listed problems that belong to no line. */
const MAX_ELSEWHERE = 5;

/** The toolbar: the file, the number of lines, and navigation to a line or to the bad ones. */
export function RawTools({ lane, line, facts, onLine }: RawToolsProps): JSX.Element {
  const page = usePage();
  const { bad = [], elsewhere = [], problems = 0 } = facts ?? {};
  const more = problems - bad.length - MAX_ELSEWHERE;
  const name = page.timeline.value.lanes[lane]?.name ?? '';
  const seek = (step: 1 | -1): void => {
    const found = badLineFrom(bad, line, step);
    if (found !== undefined) onLine(found);
  };
  return (
    <>
      <div class="view-tools">
        <LaneChoice lane={lane} />
        <span class="raw-file">{visible(name)}</span>
        <form
          class="raw-goto"
          onSubmit={(event) => {
            event.preventDefault();
            const requested = Number(new FormData(event.currentTarget).get('line'));
            if (requested >= 1) onLine(Math.min(requested, facts?.lines ?? requested));
          }}
        >
          <label>
            Line{' '}
            <input
              key={line}
              name="line"
              type="number"
              min={1}
              max={facts?.lines}
              defaultValue={line === undefined ? '' : String(line)}
            />
          </label>
          <span role="status">
            of {formatCount(facts?.lines ?? 0)}
            {facts?.isComplete === false ? ' …' : ''}
          </span>
        </form>
        {facts?.isFile === false && (
          <span class="hint">Messages so far: the file of this session is not on this machine.</span>
        )}
        <span class="header-space" />
        {bad.length > 0 && (
          <>
            <span class="status-error">✕ {counted(bad.length, 'bad line')}</span>
            <button type="button" class="button" onClick={() => seek(-1)} aria-label="Previous bad line">
              ◂
            </button>
            <button type="button" class="button" onClick={() => seek(1)} aria-label="Next bad line">
              ▸
            </button>
          </>
        )}
      </div>
      {elsewhere.length > 0 && (
        <ul class="raw-elsewhere">
          {elsewhere.slice(0, MAX_ELSEWHERE).map(({ place, what }) => (
            <li key={place + what}>
              ✕ {visible(place)}: {visible(what)}
            </li>
          ))}
          {more > 0 && <li>and {formatCount(more)} more</li>}
        </ul>
      )}
    </>
  );
}
