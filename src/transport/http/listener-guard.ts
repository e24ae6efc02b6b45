import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { shownHeader } from '../../model/shown-header.ts';
import { fetchSite } from '../../protocol/fetch-site.ts';
import { isLoopback } from './loopback.ts';

export interface GuardOptions {
  /** The address that the listener is bound to. */
  readonly host: string;
  readonly token?: string | undefined;
  /** The path of the target's endpoint, which may follow the path of a metadata document. */
  readonly targetPath?: string | undefined;
}

export type GuardVerdict =
  /** `path` is the requested path without mcpreel's token. */
  { readonly path: string } | { readonly refusal: string };

/** The header that carries mcpreel's token. */
const TOKEN_HEADER = 'mcpreel-token';

/** Removes mcpreel's token, which must not reach the target. */
export function withoutTokenHeader(raw: readonly string[]): readonly string[] {
  const isToken = (at: number): boolean => {
    const name = raw[at - (at % 2)] ?? '';
    return name.length === TOKEN_HEADER.length && name.toLowerCase() === TOKEN_HEADER;
  };
  return raw.some((_, at) => isToken(at)) ? raw.filter((_, at) => !isToken(at)) : raw;
}

/**
 * Decides whether a request may be handled: protects the listener against DNS rebinding and requests from foreign
 * pages. A web page can make the browser connect to this machine under any host name. The target cannot detect that,
 * because mcpreel sends it the target's own host. So `Host` and `Origin` must name this machine. If the listener is
 * reachable from other machines, a token is required instead.
 */
export function judgeRequest(request: IncomingMessage, { host, token, targetPath }: GuardOptions): GuardVerdict {
  const { headers, url = '/' } = request;
  const { path, values } = token === undefined ? { path: url, values: [] } : withoutToken(url, token);
  if (token !== undefined && ![headers[TOKEN_HEADER], ...values].some((given) => isSame(given, token))) {
    return { refusal: 'the token is missing or wrong' };
  }
  const site = fetchSite((name) => headers[name]?.toString());
  if (site === 'followed-link' && !isForSigningIn(request, targetPath))
    return { refusal: 'the link comes from another site' };
  if (!isLoopback(host)) return { path };
  const foreign = hostsOf(request).find((name) => !isLoopback(hostnameOf(name)));
  if (foreign !== undefined) {
    const port = request.socket?.localPort;
    const own = `http://${host.includes(':') ? `[${host}]` : host}${port === undefined ? '' : `:${port}`}`;
    return { refusal: `refused ${shownHeader('Host', foreign)}. Connect to ${own}` };
  }
  const { origin } = headers;
  if (origin === undefined) return site === 'elsewhere' ? { refusal: 'the request comes from another site' } : { path };
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname)
    ? { path }
    : { refusal: `refused ${shownHeader('Origin', origin)}. Web pages of other machines cannot connect` };
}

/** Every host that a request names. It should name one, but several headers or an absolute URL can add others. */
function hostsOf({ headers, rawHeaders, url = '/' }: IncomingMessage): string[] {
  const hosts = [headers.host ?? ''];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') hosts.push(rawHeaders[at + 1] ?? '');
  }
  const [, named] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (named !== undefined) hosts.push(named);
  return hosts;
}

/** The metadata documents of RFC 9728, RFC 8414 and OpenID Connect. */
const METADATA: readonly string[] = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
];

/** Where a browser begins to sign in and comes back to. */
const SIGNING_IN: ReadonlySet<string> = new Set(
  ['', '/oauth', '/oauth2', '/auth'].flatMap((folder) => [`${folder}/authorize`, `${folder}/callback`]),
);

/** A path that a server could read as another one: parameters, empty or dot segments, and separators in disguise. */
const AMBIGUOUS = /[\\;]|\/\/|\/\.{1,2}(?:\/|$)/;

/**
 * Whether a link of another site may be followed to this path, because signing in with OAuth needs it. Only exact paths
 * are: what a server makes of any other spelling is unknown.
 */
function isForSigningIn({ method, url = '/' }: IncomingMessage, targetPath = '/'): boolean {
  const [path = ''] = url.split(/[?#]/);
  if (method !== 'GET' || path === targetPath) return false;
  if (SIGNING_IN.has(path) || METADATA.includes(path)) return true;
  const isPlain = !AMBIGUOUS.test(targetPath) && !/%(?:2[ef]|5c|3b|25|00)/i.test(targetPath);
  return isPlain && METADATA.some((document) => path === document + targetPath);
}

function hostnameOf(host: string): string {
  return host.replace(/:\d*$/, '');
}

/** Removes mcpreel's token from the query. Other parameters named `token` stay. */
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
