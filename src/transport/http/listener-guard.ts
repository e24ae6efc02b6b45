import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fetchSite } from '../../protocol/fetch-site.ts';
import { isLoopback } from './loopback.ts';

export interface GuardOptions {
  /** The address that is listened on. */
  readonly host: string;
  readonly token?: string | undefined;
}

export type GuardVerdict =
  /** `path` is what was asked for without what was meant for us. */
  { readonly path: string } | { readonly refusal: string };

/** The header that carries our token. */
const TOKEN_HEADER = 'mcpreel-token';

/** The headers without our token, which is for nobody else. */
export function withoutTokenHeader(raw: readonly string[]): readonly string[] {
  const isToken = (at: number): boolean => {
    const name = raw[at - (at % 2)] ?? '';
    return name.length === TOKEN_HEADER.length && name.toLowerCase() === TOKEN_HEADER;
  };
  return raw.some((_, at) => isToken(at)) ? raw.filter((_, at) => !isToken(at)) : raw;
}

/**
 * Judges a request before anything is done with it. A page that a browser shows can make it talk to this machine under
 * any name; the target would no longer notice, because it is told its own. So the name and the page's origin must be
 * this machine's, and where others can connect, a token takes their place.
 */
export function judgeRequest(request: IncomingMessage, { host, token }: GuardOptions): GuardVerdict {
  const { headers, url = '/' } = request;
  const { path, values } = token === undefined ? { path: url, values: [] } : withoutToken(url, token);
  if (token !== undefined && ![headers[TOKEN_HEADER], ...values].some((given) => isSame(given, token))) {
    return { refusal: 'the token is missing or wrong' };
  }
  if (!isLoopback(host)) return { path };
  if (!hostsOf(request).every((name) => isLoopback(hostnameOf(name)))) {
    return { refusal: 'the host is not this machine' };
  }
  const { origin } = headers;
  if (origin === undefined) return isFromElsewhere(request) ? { refusal: 'a page elsewhere asks' } : { path };
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname)
    ? { path }
    : { refusal: 'the origin is not this machine' };
}

/** Every host that a request names. It is to name one, but may name others, for the next to choose from. */
function hostsOf({ headers, rawHeaders, url = '/' }: IncomingMessage): string[] {
  const hosts = [headers.host ?? ''];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') hosts.push(rawHeaders[at + 1] ?? '');
  }
  const [, named] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (named !== undefined) hosts.push(named);
  return hosts;
}

/** Whether a browser says that a page of another site asks. A link may be followed from there, as to sign in. */
function isFromElsewhere({ headers }: IncomingMessage): boolean {
  return fetchSite((name) => headers[name]?.toString()) === 'elsewhere';
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
