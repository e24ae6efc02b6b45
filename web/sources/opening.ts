import { type Signal, signal } from '@preact/signals';
import type { FileToOpen } from '../model/file-to-open.ts';

/** A download in progress. */
export interface Download {
  readonly name: string;
  readonly bytes: number;
  /** The total number of bytes, if the server sent it. */
  readonly of: number | undefined;
}

/** An error while opening a recording. */
export interface OpeningFault {
  readonly what: string;
  /** The file, if another format might work. */
  readonly file?: FileToOpen | undefined;
}

/** The state of opening recordings. */
export interface FileOpening {
  readonly downloads: Signal<readonly Download[]>;
  readonly faults: Signal<readonly OpeningFault[]>;
  /** Two files that wait for the user's choice to merge or compare them. */
  readonly undecided: Signal<readonly FileToOpen[] | undefined>;
  /** Whether the explanations of the badges are shown. */
  readonly isExplained: Signal<boolean>;
  /** Counts the requests to open, so that a slow one can detect a newer one. */
  turn: number;
}

export function createOpening(): FileOpening {
  return {
    downloads: signal([]),
    faults: signal([]),
    undecided: signal(undefined),
    isExplained: signal(false),
    turn: 0,
  };
}
