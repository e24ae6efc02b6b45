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
  error: 'failed calls: JSON-RPC errors and results with isError',
  pending: 'calls without a response',
  invalid: 'protocol violations',
  stray: 'lines on stdin or stdout that are not JSON-RPC',
  late: 'responses to cancelled calls',
  crash: 'server crashes, and exits with calls still open',
  incomplete: 'sessions without messages, or with gaps',
  schema: 'arguments or results that do not match the tool’s schema',
  drift: 'tools that changed, or differ from the baseline',
  secret: 'secrets in the recording',
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
  'result-type-unknown': 'invalid',
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
