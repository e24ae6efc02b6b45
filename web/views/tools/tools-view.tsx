import type { JSX } from 'preact';
import { useAnswer } from '../../state/answer.ts';
import { usePage } from '../../state/page.ts';
import { ServerTools } from './server-tools.tsx';

/** The call statistics of each server, by tool. */
export function ToolsView(): JSX.Element {
  const page = usePage();
  const { more, filter, range } = page.place.value;
  const which = more.of === 'shown' ? 'shown' : 'all';
  const isNarrowed = filter !== '' || range !== undefined;
  const version = which === 'all' ? page.timeline.value.version : page.shown.value.version;
  const figures = useAnswer(() => page.engine.toolFigures(which), [which, version]);
  const choose = (of: 'all' | 'shown'): void => {
    const { of: _of, ...rest } = more;
    page.go({ more: of === 'all' ? rest : { ...rest, of } }, 'move');
  };
  return (
    <div class="tools">
      <div class="view-tools">
        <fieldset class="switch">
          <legend class="unseen">Calls to count</legend>
          {(['all', 'shown'] as const).map((of) => (
            <button key={of} type="button" aria-pressed={which === of} onClick={() => choose(of)}>
              {of === 'all' ? 'All calls' : 'Shown calls'}
            </button>
          ))}
        </fieldset>
        {which === 'all' && isNarrowed && <span class="hint">Filter not applied.</span>}
        {figures === undefined && <span role="status">Loading…</span>}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <div class="tools-scroll" tabIndex={0}>
        {figures?.map((of) => (
          <ServerTools key={of.lane} figures={of} isOnly={figures.length === 1} />
        ))}
      </div>
    </div>
  );
}
