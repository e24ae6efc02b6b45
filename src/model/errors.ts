/**
 * Machine-readable error codes; the message is for people.
 *
 * @example
 * ```ts
 * import { type ErrorCode, ReelError, readSession } from 'mcpreel';
 *
 * const isMissing = (code: ErrorCode) => code === 'file-not-found';
 *
 * await readSession('missing.json').catch((error: unknown) => {
 *   if (!(error instanceof ReelError) || !isMissing(error.code)) throw error;
 * });
 * ```
 */
export type ErrorCode =
  | 'usage'
  | 'file-not-found'
  | 'file-unreadable'
  | 'file-unwritable'
  | 'format-unknown'
  | 'session-unreadable'
  | 'session-empty'
  | 'session-not-found'
  | 'session-invalid'
  | 'session-live'
  | 'session-gone'
  | 'session-refused'
  | 'transcript-invalid'
  | 'target-unreachable'
  | 'cannot-listen'
  | 'demo-failed';

/**
 * Optional details of a `ReelError`.
 *
 * @example
 * ```ts
 * import { type ErrorDetails, ReelError } from 'mcpreel';
 *
 * const details: ErrorDetails = { hint: 'Pass the path of a session file.' };
 * console.log(new ReelError('usage', 'No session given', details).hint);
 * ```
 */
export interface ErrorDetails {
  /** What the user can do about the error. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * The only error class that mcpreel throws. Malformed, late or failing traffic is data and is never thrown.
 *
 * @example
 * ```ts
 * import { ReelError, readSession } from 'mcpreel';
 *
 * try {
 *   await readSession('missing.json');
 * } catch (error) {
 *   if (!(error instanceof ReelError)) throw error;
 *   console.error(`${error.code}: ${error.message}. ${error.hint ?? ''}`);
 * }
 * ```
 */
export class ReelError extends Error {
  override readonly name = 'ReelError';
  readonly code: ErrorCode;
  /** What the user can do about the error, in one sentence. */
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
  }
}

/** The error message and its hint on one line. */
export function inOneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof ReelError ? error.hint : undefined;
  const isSentence = hint === undefined || /[.!?…:]$/.test(message);
  const text = `${message}${isSentence ? '' : '.'}${hint === undefined ? '' : ` ${hint}`}`;
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

/** The codes of system calls that fail because the process, or the whole system, has too many open files. */
const OUT_OF_FILES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

/** Ends the reason of a failure that had this cause. */
export const TOO_MANY_FILES = 'too many open files';

/** Returns whether an operation failed because there are too many open files. */
export function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && OUT_OF_FILES.has(error.code);
}
