import type { ServedConnection } from '../../sources/served-live.ts';

/** How the page stands with who serves it. */
export const CONNECTION_WORDS: Readonly<Record<ServedConnection, string>> = {
  connecting: '… connecting',
  open: '● connected',
  lost: '✕ connection lost, trying again',
  refused: '✕ mcpreel was started anew: open the link that it printed',
};
