import { type Signal, signal } from '@preact/signals';
import type { FileToOpen } from '../model/file-to-open.ts';

/** Something that is on its way here. */
export interface Download {
  readonly name: string;
  readonly bytes: number;
  /** How many there will be, as far as the server says. */
  readonly of: number | undefined;
}

/** Something that could not be opened. */
export interface OpeningFault {
  readonly what: string;
  /** The file, where another format might help. */
  readonly file?: FileToOpen | undefined;
}

/** What goes on while recordings are opened. */
export interface FileOpening {
  readonly downloads: Signal<readonly Download[]>;
  readonly faults: Signal<readonly OpeningFault[]>;
  /** Two files of which nobody said yet whether to show them together or to compare them. */
  readonly undecided: Signal<readonly FileToOpen[] | undefined>;
  /** Whether it is spelled out what the badges mean. */
  readonly isExplained: Signal<boolean>;
  /** Counts what was asked for, so that who took long knows whether something else is wanted by now. */
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
