import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from './loopback.ts';

export interface GuardOptions {
  /** The address that is listened on. */
  readonly host: string;
  readonly token?: string | undefined;
}

export type Verdict =
  /** `path` is what was asked for without what was meant for us. */
  { readonly path: string } | { readonly refusal: string };

/** The header that carries our token. */
export const TOKEN_HEADER = 'mcpreel-token';

/**
 * Judges a request before anything is done with it. A page that a browser shows can make it talk to this machine under
 * any name; the target would no longer notice, because it is told its own. So the name and the page's origin must be
 * this machine's, and where others can connect, a token takes their place.
 */
export function judgeRequest({ headers, url = '/' }: IncomingMessage, { host, token }: GuardOptions): Verdict {
  const { path, values } = token === undefined ? { path: url, values: [] } : withoutToken(url, token);
  if (token !== undefined && ![headers[TOKEN_HEADER], ...values].some((given) => isSame(given, token))) {
    return { refusal: 'the token is missing or wrong' };
  }
  if (!isLoopback(host)) return { path };
  if (!isLoopback(hostnameOf(headers.host ?? ''))) return { refusal: 'the host is not this machine' };
  const { origin } = headers;
  if (origin !== undefined && !(URL.canParse(origin) && isLoopback(new URL(origin).hostname))) {
    return { refusal: 'the origin is not this machine' };
  }
  return { path };
}

function hostnameOf(host: string): string {
  return host.replace(/:\d*$/, '');
}

/** The path without our token, if it is among the values of its query. Others may be called so too, and stay. */
function withoutToken(url: string, token: string): { path: string; values: string[] } {
  const [path = '', query] = splitOnce(url, '?');
  const values: string[] = [];
  const rest = (query ?? '').split('&').filter((pair) => {
    const value = pair.startsWith('token=') ? decoded(pair.slice('token='.length)) : undefined;
    if (!isSame(value, token)) return true;
    values.push(token);
    return false;
  });
  return { path: rest.length > 0 && query !== undefined ? `${path}?${rest.join('&')}` : path, values };
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function isSame(given: string | readonly string[] | undefined, token: string): boolean {
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
