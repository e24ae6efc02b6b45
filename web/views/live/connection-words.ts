import type { ServedConnection } from '../../sources/served-live.ts';

/** Descriptions of the connection states. */
export const CONNECTION_WORDS: Readonly<Record<ServedConnection, string>> = {
  connecting: '… connecting',
  open: '● connected',
  lost: '✕ connection lost, reconnecting',
  refused: '✕ mcpreel was restarted: open the new link that it printed',
};
