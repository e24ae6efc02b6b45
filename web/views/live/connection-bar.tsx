import type { JSX } from 'preact';
import type { ServedLive } from '../../sources/served-live.ts';
import { usePage } from '../../state/page.ts';

const WORDS = {
  connecting: '… connecting',
  open: '● connected',
  lost: '✕ connection lost, trying again',
  refused: '✕ mcpreel was started anew: open the link that it printed',
} as const;

/** How the page stands with who serves it, and whether what comes is shown. */
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
        {WORDS[connection]}
        {connection === 'open' && ` · ${running === 1 ? '1 session runs' : `${running} sessions run`}`}
      </span>
      <span class="header-space" />
      <button type="button" class="button" aria-pressed={isPaused} onClick={() => live.pause(!isPaused)}>
        {isPaused ? 'Go on' : 'Pause'}
      </button>
      <button type="button" class="button" onClick={follow}>
        Follow the timeline
      </button>
    </div>
  );
}
