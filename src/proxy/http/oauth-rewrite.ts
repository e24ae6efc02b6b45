import { decodeString } from '../../json/scan.ts';
import { sliceAt, spliceAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';

/**
 * A client binds its tokens to the URL by which it knows the server, and that is ours. These edits let the target's own
 * words name us: where its metadata is, and which resource it speaks of. Nothing but an origin is ever replaced.
 */

/** Whether a path (with its query, if any) is that of protected-resource metadata (RFC 9728, 3.1). */
export function isResourceMetadataPath(path: string): boolean {
  return /^\/\.well-known\/oauth-protected-resource(?:[/?#]|$)/.test(path);
}

const TOKEN = String.raw`[!#$%&'*+\-.^_\x60|~0-9A-Za-z]+`;
const QUOTED = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"?`;
/** A parameter, a word, or something in quotes. A URL without quotes is no token, but it is sent. */
const PARAMETER = new RegExp(String.raw`(${TOKEN})(?:([ \t]*=[ \t]*)(${QUOTED}|[^\s,"]+))?|${QUOTED}`, 'gs');

/** A `WWW-Authenticate` value whose `resource_metadata` URLs at the target are at our origin instead. */
export function rewriteChallenge(value: string, targetOrigin: string, ourOrigin: string): string {
  return value.replace(PARAMETER, (all: string, name?: string, equals?: string, given?: string) => {
    if (name?.toLowerCase() !== 'resource_metadata' || equals === undefined || given === undefined) return all;
    const quote = given.startsWith('"') ? '"' : '';
    const escaped = given.slice(quote.length);
    // Outside of quotes a backslash is one.
    const url = quote === '' ? given : escaped.replaceAll(/\\(.)/gs, '$1').replace(/"$/, '');
    const length = originLength(url, targetOrigin);
    return length === 0 ? all : name + equals + quote + ourOrigin + after(length, escaped, /\\.|./gs);
  });
}

/** Protected-resource metadata whose `resource` is at our origin, or `undefined` where it is not at the target's. */
export function rewriteResourceMetadata(text: JsonText, targetOrigin: string, ourOrigin: string): JsonText | undefined {
  const literal = sliceAt(text, ['resource']);
  if (!literal?.startsWith('"')) return undefined;
  const length = originLength(decodeString(literal), targetOrigin);
  if (length === 0) return undefined;
  return spliceAt(text, ['resource'], `"${ourOrigin}${after(length, literal.slice(1), /\\u.{4}|\\.|./gs)}`);
}

/** How much of a URL is the origin, if that is this one. */
function originLength(url: string, origin: string): number {
  const written = /^https?:\/\/[^\s/\\?#@]+/i.exec(url)?.[0] ?? '';
  // What follows may still belong to the authority: a name and a password before an `@`.
  const isWhole = /^(?:[/?#]|$)/.test(url.slice(written.length));
  return isWhole && URL.canParse(written) && new URL(written).origin === new URL(origin).origin ? written.length : 0;
}

/** What is left of an escaped text after so many of the characters that it stands for. */
function after(count: number, escaped: string, character: RegExp): string {
  let at = 0;
  for (let i = 0; i < count && at < escaped.length; i++) {
    character.lastIndex = at;
    at += character.exec(escaped)?.[0].length ?? 1;
  }
  return escaped.slice(at);
}
