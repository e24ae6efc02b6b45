import type { JSX } from 'preact';
import { formatDuration } from '../../../src/present/figures.ts';
import { usePage, usePlace } from '../../state/page.ts';
import { TIME_STYLES, type TimeStyle } from '../../state/place.ts';

const SAID: Readonly<Record<TimeStyle, string>> = {
  relative: 'since start',
  absolute: 'time of day',
  delta: 'since last',
};

/** The column titles of the timeline, and its options. */
export function TimelineHead(): JSX.Element {
  const page = usePage();
  const times = usePlace('times');
  const unfolded = usePlace('unfolded');
  const range = usePlace('range');
  const more = usePlace('more');
  const { span, gaps } = page.timeline.value;
  const shown = range ?? span;
  const isIdleOpen = more.idle === 'open';
  const next = TIME_STYLES[(TIME_STYLES.indexOf(times) + 1) % TIME_STYLES.length] ?? 'relative';
  return (
    <div class="row timeline-head">
      <button
        type="button"
        class="row-time"
        onClick={() => page.go({ times: next })}
        title={`Times: ${SAID[times]}. Click for: ${SAID[next]}.`}
      >
        {SAID[times]}
      </button>
      <span />
      <span />
      <span>message</span>
      <button
        type="button"
        class="head-button"
        aria-pressed={unfolded}
        onClick={() => page.go({ unfolded: !unfolded })}
        title="Responses: inline or separate rows"
      >
        {unfolded ? 'responses: separate rows' : 'responses: inline'}
      </button>
      <span class="head-axis">
        {shown !== undefined && <span>{formatDuration(shown.toMs - shown.fromMs)}</span>}
        {gaps.length > 0 && (
          <button
            type="button"
            class="head-button"
            aria-pressed={!isIdleOpen}
            onClick={() => page.go({ more: idleToggled(more, isIdleOpen) })}
          >
            {isIdleOpen ? 'idle shown' : 'idle folded'}
          </button>
        )}
      </span>
      <span class="row-state">duration</span>
    </div>
  );
}

/** The link parameters with the folding of idle gaps toggled. */
export function idleToggled(more: Readonly<Record<string, string>>, isOpen: boolean): Record<string, string> {
  const { idle: _, ...rest } = more;
  return isOpen ? rest : { ...rest, idle: 'open' };
}
