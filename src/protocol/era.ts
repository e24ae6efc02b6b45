import { skipSpace } from '../json/scan.ts';
import { locate } from '../json/splice.ts';
import type { JsonText } from '../model/entry.ts';
import { isRedacted } from '../model/placeholder.ts';
import { scanEnvelope } from './envelope.ts';

/** Distinguishes protocol revisions with and without a handshake. */

/** The member of `params._meta` that names the protocol revision of a message. */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** The first revision whose messages are self-contained: it has no handshake and no sessions. */
export const FIRST_MODERN = '2026-07-28';

/** The last revision with a handshake. */
export const LAST_WITH_HANDSHAKE = '2025-11-25';

/** The revisions with a handshake. */
export const WITH_HANDSHAKE: readonly string[] = [
  '2024-10-07',
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  LAST_WITH_HANDSHAKE,
];

/** Whether this revision has no handshake. Revisions are dates; a draft sorts after all of them. A redacted one is unknown. */
export function isModernRevision(revision: string): boolean {
  return revision >= FIRST_MODERN && !isRedacted(revision);
}

/**
 * Whether a request or notification names its own revision, as all requests do since 2026-07-28. Both eras may share
 * one connection, so every message is checked.
 */
export function isModern(text: JsonText): boolean {
  // This check alone rules out most messages of the older era. It omits the slash, which may be escaped.
  if (!text.includes('io.modelcontextprotocol')) return false;
  const start = skipSpace(text, 0);
  const { envelope, body, end } = scanEnvelope(text, start);
  if (end < 0 || envelope.method === undefined || body?.key !== 'params') return false;
  return locate(text.slice(start + body.start, start + body.end), ['_meta', VERSION_KEY]) !== undefined;
}
