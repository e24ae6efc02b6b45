import type { Signal } from '@preact/signals';
import type { ServedApi } from './served-api.ts';
import type { ServedLive } from './served-live.ts';
import type { ServedReplay } from './served-replay.ts';

/** What the page has of the program that serves it. */
export interface ServedPage {
  readonly api: ServedApi;
  /** Absent where only recordings are shown. */
  readonly live: ServedLive | undefined;
  /** The call that is made once more at the moment. */
  readonly replay: Signal<ServedReplay | undefined>;
}
