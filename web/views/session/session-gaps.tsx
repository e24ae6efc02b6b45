import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../../src/present/visible-text.ts';
import type { GapFacts } from '../../model/session/session-facts.ts';
import { usePage } from '../../state/page.ts';
import { formatCount, formatTime } from '../../state/times.ts';
import { Part } from './fact-list.tsx';

const AT_ONCE = 100;

/** The gaps in the recording, with their reasons. */
export function Gaps({ gaps }: { readonly gaps: readonly GapFacts[] }): JSX.Element {
  const page = usePage();
  const [max, setMost] = useState(AT_ONCE);
  const startMs = page.timeline.value.span?.fromMs ?? 0;
  return (
    <Part title="Gaps" aside={formatCount(gaps.length)}>
      <ul class="gap-list">
        {gaps.slice(0, max).map(({ key, atMs, missed, why }) => (
          <li key={key}>
            <button type="button" class="link" onClick={() => page.show(key)}>
              {formatTime(atMs, page.place.value.times, startMs, startMs)}
            </button>{' '}
            {missed === undefined ? 'Entries missing' : `${formatCount(missed)} missing`}
            {why !== '' && `: ${visible(why)}`}
          </li>
        ))}
      </ul>
      {gaps.length > max && (
        <button type="button" class="button" onClick={() => setMost(max * 4)}>
          Show more
        </button>
      )}
    </Part>
  );
}
