import type { JSX } from 'preact';
import { PROFILES } from '../../../src/analysis/import/profile.ts';
import { visible } from '../../../src/present/visible-text.ts';
import type { DiffChoice } from '../../model/diff/diff-facts.ts';
import { laneClass } from '../../state/lane-colours.ts';
import { usePage } from '../../state/page.ts';
import { changeChoice } from './diff-place.ts';

const COUNTS = {
  strict: 'Compare everything but ids',
  semantic: 'Ignore values that differ between runs: ids, times, cursors',
  shape: 'Compare only names and types',
} as const;

/** A bar to choose the compared sessions and the comparison profile. */
export function DiffBar({ choice }: { readonly choice: DiffChoice }): JSX.Element {
  const page = usePage();
  return (
    <div class="diff-bar">
      <SideChoice side="A" lane={choice.a} onChoose={(a) => changeChoice(page, { a })} />
      <button
        type="button"
        class="button"
        title="Swap A and B"
        aria-label="Swap A and B"
        onClick={() => changeChoice(page, { a: choice.b, b: choice.a })}
      >
        ⇄
      </button>
      <SideChoice side="B" lane={choice.b} onChoose={(b) => changeChoice(page, { b })} />
      <fieldset class="segments">
        <legend class="unseen">Compare</legend>
        {PROFILES.map((profile) => (
          <label
            key={profile}
            title={COUNTS[profile]}
            class={profile === choice.profile ? 'segment chosen' : 'segment'}
          >
            <input
              type="radio"
              name="profile"
              checked={profile === choice.profile}
              onChange={() => changeChoice(page, { profile })}
            />
            {profile}
          </label>
        ))}
      </fieldset>
    </div>
  );
}

interface SideChoiceProps {
  readonly side: 'A' | 'B';
  readonly lane: number;
  onChoose(lane: number): void;
}

function SideChoice({ side, lane, onChoose }: SideChoiceProps): JSX.Element {
  const { lanes } = usePage().timeline.value;
  return (
    <label class={`diff-lane ${laneClass(lane)}`}>
      <span class={side === 'A' ? 'side side-a' : 'side side-b'}>
        {side === 'A' ? '− ' : '+ '}
        {side}
      </span>
      <select value={lane} onChange={(event) => onChoose(Number(event.currentTarget.value))}>
        {lanes.map(({ index, label, name }) => (
          <option key={index} value={index}>
            {visible(label === name ? label : `${label} · ${name}`)}
          </option>
        ))}
      </select>
    </label>
  );
}
