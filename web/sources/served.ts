import type { Signal } from '@preact/signals';
import type { ServedApi } from './served-api.ts';
import type { ServedLive } from './served-live.ts';
import type { ServedReplay } from './served-replay.ts';

/** The page's connection to the program that serves it. */
export interface ServedPage {
  readonly api: ServedApi;
  /** Absent if the page shows only recordings. */
  readonly live: ServedLive | undefined;
  /** The call that is being replayed. */
  readonly replay: Signal<ServedReplay | undefined>;
}
