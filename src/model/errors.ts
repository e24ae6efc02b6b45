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

export interface ErrorDetails {
  /** What the user can do about it. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** The one error that mcpreel throws. Traffic that is malformed, late or failing is data and never thrown. */
export class ReelError extends Error {
  override readonly name = 'ReelError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
  }
}
