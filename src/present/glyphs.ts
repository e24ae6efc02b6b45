import type { CallStatus } from '../analysis/calls/call.ts';
import type { Severity } from '../analysis/findings/finding.ts';
import type { Direction } from '../model/entry.ts';

/** The arrow that shows the direction of a message, on screens and in printed lists. */
export const ARROWS: Readonly<Record<Direction, string>> = { client_to_server: '▶', server_to_client: '◀' };
export const PRINTED_ARROWS: Readonly<Record<Direction, string>> = { client_to_server: '>', server_to_client: '<' };

/** The direction of a message in words. */
export const DIRECTION_WORDS: Readonly<Record<Direction, string>> = {
  client_to_server: 'client to server',
  server_to_client: 'server to client',
};

/** Glyphs for the status of a call. */
export const STATUS_GLYPHS: Readonly<Record<CallStatus, string>> = {
  ok: '✓',
  error: '✕',
  pending: '…',
  cancelled: '⊘',
  late: '◷',
  stream: '≈',
};

/** What mcpreel did to a message. */
export type MessageMark = 'dropped' | 'modified' | 'injected';

/** Glyphs for what mcpreel did to a message. */
export const MARK_GLYPHS: Readonly<Record<MessageMark, string>> = { modified: '✎', dropped: '✕', injected: '+' };

/** The marks in words; in files, `edited` is `modified`. */
export const MARK_WORDS: Readonly<Record<MessageMark, string>> = {
  modified: 'edited',
  dropped: 'dropped',
  injected: 'injected',
};

/** The severity of a finding in words; in JSON, `note` is `info`. */
export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };

/** Glyphs for the severity of a finding. */
export const SEVERITY_GLYPHS: Readonly<Record<Severity, string>> = { error: '✕', warning: '!', info: 'i' };

/** What mcpreel did to a message, most important first. */
export function marksOf(message: { readonly [mark in MessageMark]?: boolean | undefined }): readonly MessageMark[] {
  return (['dropped', 'modified', 'injected'] as const).filter((mark) => message[mark]);
}
