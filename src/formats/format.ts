import type { QuickDecoder } from '../json/lines.ts';
import type { RecordedSession } from '../model/session.ts';

/** Bytes that can be read at any place and more than once: a file, a blob, a buffer. */
export interface Source {
  /** What people call it: its path, or `standard input`. */
  readonly name: string;
  readonly size: number;
  /** A faster way to decode its lines than there is everywhere. */
  readonly quick?: QuickDecoder | undefined;
  /** The bytes from `start` up to `end`, in chunks. A chunk stays as it is until the next one is asked for. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** Something in a file that could not be taken as it is; reading goes on. */
export interface ReadProblem {
  /** Where in the file: `message 7`, `line 12`. */
  readonly place: string;
  readonly what: string;
  /** The sentence of the import contract that is broken by it, if one is: an import fails with these words. */
  readonly contract?: string;
}

/** Is told of a problem. */
export type ReadReport = (problem: ReadProblem) => void;

export interface ReadOptions {
  /** Told once of each problem. Throwing from here ends the reading. */
  readonly onProblem: ReadReport;
}

/** `certain`: only this format looks so. `likely`: it would do, if no other format is certain. */
export type FormatConfidence = 'certain' | 'likely' | 'no';

export interface FormatReader {
  readonly id: string;
  readonly title: string;
  /** Judges the first 4 KiB of a file, which may be cut off anywhere. */
  detect(head: string): FormatConfidence;
  /** Opens a session. Throws a `ReelError` where the file as a whole cannot be read. */
  read(source: Source, options: ReadOptions): Promise<RecordedSession>;
}

export interface FormatWriter {
  readonly id: string;
  readonly title: string;
  /** What this format cannot hold, each a phrase that completes "it does not hold …". */
  readonly loses: readonly string[];
  /** The file's text in pieces. */
  write(session: RecordedSession): AsyncIterable<string>;
}

/** What to do about a file that is not what it was taken for. */
export const WRONG_FORMAT = 'Name its format with --format.';

/** Writers hand on text in pieces of about this many characters: long strings of many parts are slow to encode. */
export const PIECE_LENGTH: number = 1 << 14;
