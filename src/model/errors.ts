/** What went wrong, for programs; the message is for people. */
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

/** What is known of an error beside what happened. */
export interface ErrorDetails {
  /** What the user can do about it. */
  readonly hint?: string;
  /** What was thrown before. */
  readonly cause?: unknown;
}

/** The one error that mcpreel throws. Traffic that is malformed, late or failing is data and never thrown. */
export class ReelError extends Error {
  override readonly name = 'ReelError';
  readonly code: ErrorCode;
  /** What the user can do about it, in one sentence. */
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
  }
}

/** What happened and what to do about it, in one line. */
export function inOneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof ReelError ? error.hint : undefined;
  const isSentence = hint === undefined || /[.!?…:]$/.test(message);
  return `${message}${isSentence ? '' : '.'}${hint === undefined ? '' : ` ${hint}`}`.replaceAll(/\s*\n\s*/g, ' ');
}
