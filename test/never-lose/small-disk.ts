import { onTestFinished } from 'vitest';
import type { Place } from '../support/place.ts';
import {
  JournalledDisk as AnyJournalledDisk,
  SmallDisk as AnySmallDisk,
  whyNoJournalledDisk as whyNoJournalledDiskHere,
  whyNoSmallDisk as whyNoSmallDiskHere,
  // biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
} from '../torture/support/disks.mjs';

/** A tmpfs disk that can be full or read-only. It is unmounted after the test. */
export class SmallDisk extends AnySmallDisk {
  /** `options` are those of tmpfs. */
  constructor(place: Place, name: string, options: string) {
    super(place.path(name), options);
    onTestFinished(this.close);
  }
}

/** A disk with a journal that becomes read-only when it finds an error. It is unmounted after the test. */
export class JournalledDisk extends AnyJournalledDisk {
  constructor(place: Place, name: string) {
    super(place.path(name));
    onTestFinished(this.close);
  }
}

/** Why small disks cannot be mounted here; `undefined` where they can. */
export const whyNoSmallDisk: string | undefined = whyNoSmallDiskHere();

/** Why journaled disks cannot be mounted here; `undefined` where they can. */
export const whyNoJournalledDisk: string | undefined = whyNoJournalledDiskHere();
