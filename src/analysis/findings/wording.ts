import type { MessageEntry } from '../../model/entry.ts';
import type { Call } from '../calls/call.ts';

/** Formats traffic of any content and length for use in the sentences of findings. */

export function senderOf({ direction }: Pick<MessageEntry, 'direction'>): 'The client' | 'The server' {
  return direction === 'client_to_server' ? 'The client' : 'The server';
}

/** The side that has to answer a call. */
export function responderOf({ direction }: Pick<Call, 'direction'>): 'The client' | 'The server' {
  return direction === 'client_to_server' ? 'The server' : 'The client';
}

/** A call by method and name, such as `tools/call search`. */
export function callText({ method, name }: Pick<Call, 'method' | 'name'>): string {
  return name === undefined ? named(method) : `${named(method)} ${named(name)}`;
}

/** A name, unquoted if it is a plain word. */
export function named(text: string): string {
  return /^[\w./:@-]{1,120}$/.test(text) ? text : quoted(text);
}

/** A name or a line, in quotes. */
export function quoted(text: string): string {
  return JSON.stringify(cut(text));
}

/** External text as a part of the sentence, on one line. */
export function inline(text: string): string {
  return cut(text.replaceAll(/[\p{Cc}\s]+/gu, ' '));
}

const LONGEST = 160;

/**
 * Truncates at a word boundary: a truncated word could be part of a secret that the redaction no longer recognizes. If
 * the first word is longer than that, truncates within it.
 */
function cut(text: string): string {
  if (text.length <= LONGEST) return text;
  const start = text.slice(0, LONGEST);
  const words = start.replace(/[\w+/=.-]*$/, '');
  return `${words.trim() === '' ? start : words}…`;
}
