import type { JSX } from 'preact';
import type { ServedLive } from '../../sources/served-live.ts';
import { usePage } from '../../state/page.ts';
import { counted } from '../../state/times.ts';
import { CONNECTION_WORDS } from './connection-words.ts';

/** The state of the connection, and a button to pause the view. */
export function ConnectionBar({ live }: { readonly live: ServedLive }): JSX.Element {
  const page = usePage();
  const connection = live.connection.value;
  const isPaused = live.isPaused.value;
  const running = live.sessions.value.filter(({ ending }) => ending === undefined).length;
  const follow = (): void => {
    page.follows.value = true;
    page.go({ view: 'timeline', selected: undefined });
  };
  return (
    <div class="live-bar">
      <span class={`live-state live-state-${connection}`} role="status">
        {CONNECTION_WORDS[connection]}
        {connection === 'open' && ` · ${counted(running, 'session running', 'sessions running')}`}
      </span>
      <span class="header-space" />
      <button type="button" class="button" aria-pressed={isPaused} onClick={() => live.pause(!isPaused)}>
        {isPaused ? 'Resume' : 'Pause'}
      </button>
      <button type="button" class="button" onClick={follow}>
        Show in timeline
      </button>
    </div>
  );
}
