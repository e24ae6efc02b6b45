import type { QuickDecoder } from '../json/lines.ts';
import type { RecordedSession } from '../model/session.ts';
import type { PlacedLines } from '../present/session-log/entry-blocks.ts';

/** Bytes that can be read from any offset, any number of times: a file, a blob or a buffer. */
export interface Source {
  /** The display name: the path, or `standard input`. */
  readonly name: string;
  readonly size: number;
  /** A faster decoder for lines, which is not available on every platform. */
  readonly quick?: QuickDecoder | undefined;
  /** Reads bytes at once, where the platform can. */
  readonly readNow?: ((start: number, end: number) => Uint8Array) | undefined;
  /** Reads the bytes from `start` up to `end` in chunks. A chunk is only valid until the next one is requested. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/**
 * A part of a file that could not be read as it is. Reading continues.
 *
 * @example
 * ```ts
 * import { type ReadProblem, readSession } from 'mcpreel';
 *
 * const problems: ReadProblem[] = [];
 * await readSession('session.json', { onProblem: (problem) => problems.push(problem) });
 * for (const { place, what } of problems) console.error(`${place}: ${what}`);
 * ```
 */
export interface ReadProblem {
  /** The location in the file: `message 7`, `line 12`. */
  readonly place: string;
  readonly what: string;
  /**
   * Absent if a part of the file was skipped. `repaired`: all of it was read, with an assumed value. `allowed`: the
   * format asks readers to pass over it.
   */
  readonly effect?: 'repaired' | 'allowed';
  /** The import contract's message for this problem, if it violates the contract. An import fails with this message. */
  readonly contract?: string;
}

export type ReadReport = (problem: ReadProblem) => void;

export interface ReadOptions {
  /** Called once for each problem. If it throws, reading stops. */
  readonly onProblem: ReadReport;
  /**
   * Whether the format was detected and not named. A line of a detected JSON-RPC file is a message only if it names
   * the version of JSON-RPC.
   */
  readonly isDetected?: boolean;
  /**
   * Called before each batch of entries that can be read again one line at a time, with the offset and the number of
   * the line of each entry.
   */
  readonly onPlaced?: ((places: PlacedLines) => void) | undefined;
}

/**
 * How certain a reader is of its format. `certain`: only this format looks like this. `likely`: use it if no other
 * format is certain.
 */
export type FormatConfidence = 'certain' | 'likely' | 'no';

export interface FormatReader {
  readonly id: string;
  readonly title: string;
  /** Checks the first bytes of a file, which may be cut off anywhere. */
  detect(head: string): FormatConfidence;
  /** Opens a session. Throws a `ReelError` if the file as a whole cannot be read. */
  read(source: Source, options: ReadOptions): Promise<RecordedSession>;
}

export interface FormatWriter {
  readonly id: string;
  readonly title: string;
  /** What this format cannot contain. Each is a phrase that completes "not included: …". */
  readonly loses: readonly string[];
  /** Yields the file's text in pieces. */
  write(session: RecordedSession): AsyncIterable<string>;
}

/** The hint for a file that does not have the expected format. */
export const WRONG_FORMAT = 'Force a format with --format.';

/**
 * Writers yield text in pieces of about this many characters. Long strings that consist of many parts are slow to
 * encode.
 */
export const PIECE_LENGTH: number = 1 << 14;
