import type { ServedConnection } from '../../sources/served-live.ts';

/** Descriptions of the connection states. */
export const CONNECTION_WORDS: Readonly<Record<ServedConnection, string>> = {
  connecting: '… connecting',
  open: '● connected',
  lost: '✕ connection lost, trying again',
  refused: '✕ mcpreel was started anew: open the link that it printed',
};
