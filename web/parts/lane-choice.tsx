import type { JSX } from 'preact';
import { visible } from '../../src/present/visible-text.ts';
import { laneOf } from '../model/entry-key.ts';
import { laneClass } from '../state/lane-colours.ts';
import { usePage } from '../state/page.ts';

/** The lane that a single-session view shows: that of the selected entry, or the chosen one. */
export function useChosenLane(): number {
  const page = usePage();
  const { more, selected } = page.place.value;
  const requested = selected === undefined ? Number(more.lane ?? 0) : laneOf(selected);
  return page.timeline.value.lanes[requested] === undefined ? 0 : requested;
}

/** A selector for the lane; nothing if there is only one. */
export function LaneChoice({ lane }: { readonly lane: number }): JSX.Element | null {
  const page = usePage();
  const { lanes } = page.timeline.value;
  if (lanes.length < 2) return null;
  const choose = (index: number): void => {
    const { line: _line, ...more } = page.place.value.more;
    page.go({ more: { ...more, lane: String(index) }, selected: undefined }, 'move');
  };
  return (
    <fieldset class="switch">
      <legend class="unseen">Which session</legend>
      {lanes.map(({ index, label }) => (
        <button
          key={index}
          type="button"
          class={laneClass(index)}
          aria-pressed={index === lane}
          onClick={() => choose(index)}
        >
          <span class="lane-dot" />
          {visible(label)}
        </button>
      ))}
    </fieldset>
  );
}
