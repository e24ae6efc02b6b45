import type { CallStatus } from '../../src/analysis/calls/call.ts';
import type { Severity } from '../../src/analysis/findings/finding.ts';
import type { RowFacts } from '../model/row-facts.ts';

/** Glyphs for the status of a call. */
export const STATUS_GLYPHS: Readonly<Record<CallStatus, string>> = {
  ok: '✓',
  error: '✕',
  pending: '…',
  cancelled: '⊘',
  late: '◷',
  stream: '≈',
};

/** Glyphs for what mcpreel did to a message. */
export const MARK_GLYPHS: Readonly<Record<NonNullable<RowFacts['mark']>, string>> = {
  modified: '✎',
  dropped: '✕',
  injected: '+',
};

/** Glyphs for the severity of a finding. */
export const SEVERITY_GLYPHS: Readonly<Record<Severity, string>> = { error: '✕', warning: '!', info: 'i' };
