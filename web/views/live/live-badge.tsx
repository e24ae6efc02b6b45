import type { JSX } from 'preact';
import { usePage } from '../../state/page.ts';
import { CONNECTION_WORDS } from './connection-words.ts';
import { HeldGlyph } from './held-glyph.tsx';

/** A badge that shows whether a session is live, and whether messages wait for a decision. */
export function LiveBadge(): JSX.Element | null {
  const page = usePage();
  const live = page.served.value?.live;
  if (live === undefined) return null;
  const held = live.sessions.value.reduce((sum, session) => sum + session.held.length, 0);
  const connection = live.connection.value;
  const isRunning = live.sessions.value.some(({ ending }) => ending === undefined);
  return (
    <>
      {(connection === 'lost' || connection === 'refused') && (
        <span class="badge badge-waiting">{CONNECTION_WORDS[connection]}</span>
      )}
      {connection === 'open' && isRunning && !live.isPaused.value && <span class="badge badge-ok">● live</span>}
      {live.isPaused.value && (
        <button type="button" class="badge badge-waiting" onClick={() => live.pause(false)}>
          <HeldGlyph /> paused: resume
        </button>
      )}
      {held > 0 && (
        <button type="button" class="badge badge-waiting" onClick={() => page.go({ view: 'live' })}>
          <HeldGlyph /> {held} held
        </button>
      )}
    </>
  );
}
