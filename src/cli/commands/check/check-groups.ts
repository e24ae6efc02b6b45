import type { FindingCode } from '../../../analysis/findings/finding.ts';

/** The values of `--fail-on`. */
export type FindingGroup =
  | 'error'
  | 'pending'
  | 'invalid'
  | 'stray'
  | 'late'
  | 'crash'
  | 'incomplete'
  | 'schema'
  | 'drift'
  | 'secret';

/** The description of each group, for the help. */
export const GROUPS: Readonly<Record<FindingGroup, string>> = {
  error: 'a call that failed: a JSON-RPC error, or a tool that says so',
  pending: 'a call that was never answered',
  invalid: 'a message or an order of messages that the protocol does not allow',
  stray: 'a line on the server’s stdout or stdin that is no message',
  late: 'an answer to a call that had been cancelled',
  crash: 'a server that crashed, or ended before it had answered',
  incomplete: 'a session without messages, or with a gap in the recording',
  schema: 'arguments or a result that the tool’s own schema does not allow',
  drift: 'a tool that changed without notice, or is not what was accepted',
  secret: 'a secret in the recording',
};

/** The group of each finding code. Codes without a group are informational and fail no check. */
export const GROUP_OF: Readonly<Record<FindingCode, FindingGroup | undefined>> = {
  'call-failed': 'error',
  'tool-failed': 'error',
  'hung-call': 'pending',
  'open-call': 'pending',
  'call-timed-out': 'pending',
  'input-not-continued': 'pending',
  'server-exited': 'crash',
  'invalid-jsonrpc': 'invalid',
  'batch-not-allowed': 'invalid',
  'duplicate-id': 'invalid',
  'unknown-id': 'invalid',
  'answered-twice': 'invalid',
  'response-without-request': 'invalid',
  'early-message': 'invalid',
  'second-initialize': 'invalid',
  'initialized-missing': 'invalid',
  'metadata-missing': 'invalid',
  'server-request': 'invalid',
  'legacy-session': 'invalid',
  'result-type-conflict': 'invalid',
  'mixed-eras': 'invalid',
  'header-mismatch': 'invalid',
  'capability-missing': 'invalid',
  'http-error': 'invalid',
  'redirected-elsewhere': 'invalid',
  'session-ended': 'invalid',
  'stray-output': 'stray',
  'late-result': 'late',
  'arguments-invalid': 'schema',
  'result-invalid': 'schema',
  'tool-changed': 'drift',
  'baseline-drift': 'drift',
  'secret-present': 'secret',
  'handshake-missing': undefined,
  'schema-unchecked': undefined,
  'http-unauthorized': undefined,
  'result-type-missing': undefined,
  'recording-gap': 'incomplete',
  'empty-session': 'incomplete',
};

export const ALL_GROUPS: readonly FindingGroup[] = Object.keys(GROUPS) as FindingGroup[];

/** A tool may fail on purpose, so `error` is checked only on request. */
export const DEFAULT_GROUPS: readonly FindingGroup[] = ALL_GROUPS.filter((group) => group !== 'error');

export function isGroup(text: string): text is FindingGroup {
  return Object.hasOwn(GROUPS, text);
}
