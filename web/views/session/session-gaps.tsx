import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { GapFacts } from '../../model/session/session-facts.ts';
import { visible } from '../../parts/visible-text.ts';
import { usePage } from '../../state/page.ts';
import { sayCount, sayTime } from '../../state/times.ts';
import { Part } from './fact-list.tsx';

const AT_ONCE = 100;

/** What was not recorded, and why. */
export function Gaps({ gaps }: { readonly gaps: readonly GapFacts[] }): JSX.Element {
  const page = usePage();
  const [most, setMost] = useState(AT_ONCE);
  const startMs = page.film.value.span?.fromMs ?? 0;
  return (
    <Part title="Gaps" aside={sayCount(gaps.length)}>
      <ul class="gap-list">
        {gaps.slice(0, most).map(({ key, atMs, missed, why }) => (
          <li key={key}>
            <button type="button" class="link" onClick={() => page.show(key)}>
              {sayTime(atMs, page.place.value.times, startMs, startMs)}
            </button>{' '}
            {missed === undefined ? 'Something is missing' : `${sayCount(missed)} missing`}
            {why !== '' && `: ${visible(why)}`}
          </li>
        ))}
      </ul>
      {gaps.length > most && (
        <button type="button" class="button" onClick={() => setMost(most * 4)}>
          Show more
        </button>
      )}
    </Part>
  );
}
