import { onTestFinished } from 'vitest';
import type { Place } from '../support/place.ts';
import {
  JournalledDisk as AnyJournalledDisk,
  SmallDisk as AnySmallDisk,
  whyNoJournalledDisk as whyNoJournalledDiskHere,
  whyNoSmallDisk as whyNoSmallDiskHere,
  // biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
} from '../torture/support/disks.mjs';

/** A disk in memory that can be full or read-only. It is gone after the test. */
export class SmallDisk extends AnySmallDisk {
  /** Options are those of tmpfs. */
  constructor(place: Place, name: string, options: string) {
    super(place.path(name), options);
    onTestFinished(this.close);
  }
}

/** A disk with a journal, which becomes read-only by itself when it finds a fault. It is gone after the test. */
export class JournalledDisk extends AnyJournalledDisk {
  constructor(place: Place, name: string) {
    super(place.path(name));
    onTestFinished(this.close);
  }
}

/** Why there can be no small disks here; `undefined` where there can be. */
export const whyNoSmallDisk: string | undefined = whyNoSmallDiskHere();

/** Why there can be no journalled disks here; `undefined` where there can be. */
export const whyNoJournalledDisk: string | undefined = whyNoJournalledDiskHere();
