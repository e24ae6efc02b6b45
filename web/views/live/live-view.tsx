import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ServedLive } from '../../sources/served-live.ts';
import { usePage } from '../../state/page.ts';
import { useNow } from './clock.ts';
import { ConnectionBar } from './connection-bar.tsx';
import { HeldDetail } from './held-detail.tsx';
import { HeldQueue } from './held-queue.tsx';
import { LiveController } from './live-controller.ts';
import { LIVE_KEYS, useLiveKeys } from './live-keys.ts';
import { LiveNewsList } from './live-news.tsx';
import { SessionControls } from './session-controls.tsx';

/** The running sessions and their held messages. */
export function LiveView(): JSX.Element {
  const live = usePage().served.value?.live;
  if (live === undefined)
    return <p class="nothing">No running session. Follow running sessions with mcpreel view --live.</p>;
  return <Controller live={live} />;
}

function Controller({ live }: { readonly live: ServedLive }): JSX.Element {
  const page = usePage();
  const controller = useMemo(() => new LiveController(page, live), [page, live]);
  useLiveKeys(controller);
  const waiting = controller.waiting.value;
  const nowMs = useNow(waiting.length > 0);
  const chosen = controller.chosen.value;
  return (
    <div class="live">
      <ConnectionBar live={live} />
      <div class="live-columns">
        <div class="live-side">
          <ul class="live-sessions" aria-label="Sessions">
            {live.sessions.value.map((session) => (
              <SessionControls key={session.id} controller={controller} session={session} />
            ))}
          </ul>
          <HeldQueue controller={controller} nowMs={nowMs} />
          <LiveNewsList news={live.news.value} />
        </div>
        {chosen === undefined ? (
          <p class="live-empty">
            No message is held. Intercepted messages wait here until you forward, edit, answer or drop them.
          </p>
        ) : (
          <HeldDetail key={chosen.held.id} controller={controller} waiting={chosen} nowMs={nowMs} />
        )}
      </div>
      <p class="live-keys">
        {LIVE_KEYS.map(({ key, meaning }) => (
          <span key={key}>
            <kbd>{key}</kbd> {meaning}
          </span>
        ))}
      </p>
    </div>
  );
}
