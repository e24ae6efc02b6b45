import type { JSX } from 'preact';
import type { ServedLive } from '../../sources/served-live.ts';
import { CONNECTION_WORDS } from './connection-words.ts';

/** The placeholder before a session runs. */
export function LiveWaiting({ live }: { readonly live: ServedLive }): JSX.Element {
  const connection = live.connection.value;
  return (
    <main class="welcome">
      <h1>Waiting for a session to start.</h1>
      <p class="welcome-note" role="status">
        {connection === 'lost' || connection === 'refused'
          ? CONNECTION_WORDS[connection]
          : 'It appears here as soon as a client starts a server through mcpreel.'}
      </p>
    </main>
  );
}
