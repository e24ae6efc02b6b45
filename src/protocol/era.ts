import { skipSpace } from '../json/scan.ts';
import { locate } from '../json/splice.ts';
import type { JsonText } from '../model/entry.ts';
import { scanEnvelope } from './envelope.ts';

/** The member of `params._meta` by which a message says which revision it follows. */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** The first revision whose messages stand alone: without a handshake and without sessions. */
export const FIRST_MODERN = '2026-07-28';

/** The revision before it. */
export const LAST_WITH_HANDSHAKE = '2025-11-25';

/** Whether this revision is one without a handshake. Revisions are dates; a draft is newer than all of them. */
export function isModernRevision(revision: string): boolean {
  return revision >= FIRST_MODERN;
}

/**
 * Whether a request or notification says by itself which revision it follows, as all requests do from 2026-07-28 on. Both
 * eras may share one connection, so this is asked of every message.
 */
export function isModern(text: JsonText): boolean {
  // Most messages of the older era are told by this alone. The slash may be escaped, so it is not asked for.
  if (!text.includes('io.modelcontextprotocol')) return false;
  const start = skipSpace(text, 0);
  const { envelope, body, end } = scanEnvelope(text, start);
  if (end < 0 || envelope.method === undefined || body?.key !== 'params') return false;
  return locate(text.slice(start + body.start, start + body.end), ['_meta', VERSION_KEY]) !== undefined;
}
