import type { MessageEntry } from '../../model/entry.ts';
import type { Call } from '../calls/call.ts';

/** How sentences speak of what came over the wire, which may be anything and of any length. */

export function senderOf({ direction }: Pick<MessageEntry, 'direction'>): 'The client' | 'The server' {
  return direction === 'client_to_server' ? 'The client' : 'The server';
}

/** A call by its method and what it is about: `tools/call search`. */
export function callText({ method, name }: Pick<Call, 'method' | 'name'>): string {
  return name === undefined ? named(method) : `${named(method)} ${named(name)}`;
}

/** A name, without quotes where it is a plain word. */
export function named(text: string): string {
  return /^[\w./:@-]{1,120}$/.test(text) ? text : quoted(text);
}

/** A name or a line in quotes. */
export function quoted(text: string): string {
  return JSON.stringify(cut(text));
}

/** Words of somebody else as a part of the sentence. */
export function inline(text: string): string {
  return cut(text.replaceAll(/[\p{Cc}\s]+/gu, ' '));
}

const LONGEST = 160;

/** A word that is cut in the middle may be half a secret, which nobody recognises any more: it goes as a whole. */
function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/[\w+/=.-]*$/, '')}…` : text;
}
