import { decodeString } from '../../json/scan.ts';
import { sliceAt, spliceAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';

/**
 * Rewrites OAuth metadata so that it names mcpreel's origin. A client binds its tokens to the server URL that it knows,
 * which is mcpreel's. The edits concern the location of the metadata and the resource that it describes. Only origins
 * are ever replaced.
 */

/** Whether a path, with or without query, is that of protected-resource metadata (RFC 9728, 3.1). */
export function isResourceMetadataPath(path: string): boolean {
  return /^\/\.well-known\/oauth-protected-resource(?:[/?#]|$)/.test(path);
}

const TOKEN = String.raw`[!#$%&'*+\-.^_\x60|~0-9A-Za-z]+`;
const QUOTED = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"?`;
/** A parameter, a word or a quoted string. An unquoted URL is not a valid token, but some servers send one. */
const PARAMETER = new RegExp(String.raw`(${TOKEN})(?:([ \t]*=[ \t]*)(${QUOTED}|[^\s,"]+))?|${QUOTED}`, 'gs');

/** Replaces the target's origin in the `resource_metadata` URLs of a `WWW-Authenticate` value. */
export function rewriteChallenge(value: string, targetOrigin: string, ourOrigin: string): string {
  return value.replace(PARAMETER, (all: string, name?: string, equals?: string, given?: string) => {
    if (name?.toLowerCase() !== 'resource_metadata' || equals === undefined || given === undefined) return all;
    const quote = given.startsWith('"') ? '"' : '';
    const escaped = given.slice(quote.length);
    // Outside of quotes, a backslash is literal.
    const url = quote === '' ? given : escaped.replaceAll(/\\(.)/gs, '$1').replace(/"$/, '');
    const length = originLength(url, targetOrigin);
    return length === 0 ? all : name + equals + quote + ourOrigin + after(length, escaped, /\\.|./gs);
  });
}

/** Replaces the origin of `resource` in protected-resource metadata; `undefined` if it is not the target's. */
export function rewriteResourceMetadata(text: JsonText, targetOrigin: string, ourOrigin: string): JsonText | undefined {
  const literal = sliceAt(text, ['resource']);
  if (!literal?.startsWith('"')) return undefined;
  const length = originLength(decodeString(literal), targetOrigin);
  if (length === 0) return undefined;
  return spliceAt(text, ['resource'], `"${ourOrigin}${after(length, literal.slice(1), /\\u.{4}|\\.|./gs)}`);
}

/** The length of the URL's origin if it equals `origin`, and 0 otherwise. */
function originLength(url: string, origin: string): number {
  const written = /^https?:\/\/[^\s/\\?#@]+/i.exec(url)?.[0] ?? '';
  // What follows may still belong to the authority: a user name and password before an `@`.
  const isWhole = /^(?:[/?#]|$)/.test(url.slice(written.length));
  return isWhole && URL.canParse(written) && new URL(written).origin === new URL(origin).origin ? written.length : 0;
}

/** The rest of an escaped text after `count` unescaped characters. */
function after(count: number, escaped: string, character: RegExp): string {
  let at = 0;
  for (let i = 0; i < count && at < escaped.length; i++) {
    character.lastIndex = at;
    at += character.exec(escaped)?.[0].length ?? 1;
  }
  return escaped.slice(at);
}
