import type { CallStatus } from '../../../src/analysis/call.ts';

/** How a call went: a glyph for the eye, and the word. */
export const STATUS_GLYPHS: Readonly<Record<CallStatus, string>> = {
  ok: '✓',
  error: '✕',
  pending: '…',
  cancelled: '⊘',
  late: '◷',
  stream: '≈',
};
