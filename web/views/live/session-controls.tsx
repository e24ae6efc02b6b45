import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../../src/present/visible-text.ts';
import type { ServedSession } from '../../sources/served-live.ts';
import type { ServedMode } from '../../sources/served-protocol.ts';
import { laneClass } from '../../state/lane-colours.ts';
import { usePage } from '../../state/page.ts';
import type { LiveController } from './live-controller.ts';

const MODES: readonly { readonly mode: ServedMode; readonly title: string }[] = [
  { mode: 'passthrough', title: 'Pass through' },
  { mode: 'intercept', title: 'Intercept' },
];

interface SessionControlsProps {
  readonly controller: LiveController;
  readonly session: ServedSession;
}

/** The controls for whether a session holds messages, and which. */
export function SessionControls({ controller, session }: SessionControlsProps): JSX.Element {
  const { id, label, state, ending } = session;
  const lane = usePage().timeline.value.lanes.find(({ served }) => served === id);
  const [filter, setFilter] = useState(state.filter ?? '');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const isOver = ending !== undefined;
  const apply = (mode: ServedMode): void => {
    const requested = filter.trim() === '' ? undefined : filter;
    void controller.setMode(session, mode, requested).then(setFault);
  };
  return (
    <li class={`live-session ${laneClass(lane?.index ?? 0)}`}>
      <div class="live-session-head">
        <span class="lane-dot" />
        <span class="live-session-name">{visible(label)}</span>
        <span class="live-dim">{isOver ? ending : `process ${session.pid}`}</span>
      </div>
      {!isOver && (
        <form
          class="live-mode"
          onSubmit={(event) => {
            event.preventDefault();
            apply('intercept');
          }}
        >
          <fieldset class="live-switch">
            <legend class="unseen">Mode of {visible(label)}</legend>
            {MODES.map(({ mode, title }) => (
              <label key={mode} class="live-switch-part">
                <input type="radio" name={`mode-${id}`} checked={state.mode === mode} onChange={() => apply(mode)} />
                {title}
              </label>
            ))}
          </fieldset>
          <input
            class="live-filter"
            type="text"
            aria-label={`What ${visible(label)} holds`}
            aria-invalid={fault !== undefined}
            placeholder="everything, or a filter: tool:search dir:>"
            spellcheck={false}
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </form>
      )}
      {fault !== undefined && <p class="live-fault">{visible(fault)}</p>}
      {!isOver && state.mode === 'intercept' && (
        <p class="live-dim">
          {state.filter === undefined ? 'Holding all messages' : `Holding ${visible(state.filter)}`}; each is{' '}
          {state.failClosed ? 'dropped' : 'forwarded'} automatically after {Math.round(state.holdTimeoutMs / 1000)} s.
        </p>
      )}
    </li>
  );
}
