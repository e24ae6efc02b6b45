import type { CallStatus } from '../../src/analysis/calls/call.ts';
import type { Severity } from '../../src/analysis/findings/finding.ts';
import type { RowFacts } from '../model/row-facts.ts';

/** How a call went. */
export const STATUS_GLYPHS: Readonly<Record<CallStatus, string>> = {
  ok: '✓',
  error: '✕',
  pending: '…',
  cancelled: '⊘',
  late: '◷',
  stream: '≈',
};

/** What was done to a message on its way. */
export const MARK_GLYPHS: Readonly<Record<NonNullable<RowFacts['mark']>, string>> = {
  modified: '✎',
  dropped: '✕',
  injected: '+',
};

/** How bad a finding is. */
export const SEVERITY_GLYPHS: Readonly<Record<Severity, string>> = { error: '✕', warning: '!', info: 'i' };
