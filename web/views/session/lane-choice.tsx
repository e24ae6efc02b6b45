import type { JSX } from 'preact';
import { visible } from '../../parts/visible-text.ts';
import { laneClass } from '../../state/lane-colours.ts';
import { usePage } from '../../state/page.ts';

/** Which of several sessions is looked at; nothing where there is only one. */
export function LaneChoice({ lane }: { readonly lane: number }): JSX.Element | null {
  const page = usePage();
  const { lanes } = page.film.value;
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
