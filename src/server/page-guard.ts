import { shownHeader } from '../model/shown-header.ts';
import { fetchSite } from '../protocol/fetch-site.ts';
import type { PageToken } from './page-token.ts';

/** Why a request is rejected, and the HTTP status of the response. */
export interface RequestRefusal {
  readonly status: 401 | 403 | 405 | 415;
  readonly why: string;
}

/** The parts of a request that the guard checks. */
export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  /** The host in the request's URL, which may differ from its `Host` header. */
  readonly addressed: string;
  header(name: string): string | undefined;
}

/** The port and the token that requests must match. */
export interface GuardFacts {
  readonly port: number;
  readonly token: Pick<PageToken, 'admits'>;
}

const NAMES = ['127.0.0.1', 'localhost'];
/** Browsers omit this port from the `Host` header. */
const UNSAID_PORT = 80;

/**
 * Checks a request before it is handled. Any website can make a browser send requests to this machine, under any host
 * name that resolves to it. Host, origin and site must therefore be the page's own, and API requests must carry the
 * token. Links from other sites may open the page, because the page alone contains no data.
 */
export function judge(request: RequestFacts, guard: GuardFacts): RequestRefusal | undefined {
  const { method, path } = request;
  const host = request.header('host') ?? '';
  if (!isThisMachine(host, guard.port)) {
    return forbidden(`${shownHeader('Host', host)} is not this page. Open http://${NAMES[0]}:${guard.port}`);
  }
  const own = new URL(`http://${host}`);
  if (request.addressed !== own.host) return forbidden('the URL has another host');
  const origin = request.header('origin');
  if (origin !== undefined && origin !== own.origin)
    return forbidden(`${shownHeader('Origin', origin)} is not this page`);
  if (!isFromHere(request)) return forbidden('the request comes from another site');
  return path.startsWith('/api/') ? judgeApi(request, guard.token) : judgeMethod(method, ['GET', 'HEAD']);
}

function isThisMachine(host: string, port: number): boolean {
  return NAMES.some((name) => host === `${name}:${port}` || (port === UNSAID_PORT && host === name));
}

function judgeApi(request: RequestFacts, token: GuardFacts['token']): RequestRefusal | undefined {
  const [scheme, given] = (request.header('authorization') ?? '').split(' ');
  if (scheme !== 'Bearer' || given === undefined || !token.admits(given)) {
    return { status: 401, why: 'the token is missing or wrong; open the link that mcpreel printed' };
  }
  const refusal = judgeMethod(request.method, ['GET', 'POST']);
  if (refusal !== undefined || request.method === 'GET') return refusal;
  const type = (request.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  return type === 'application/json' ? undefined : { status: 415, why: 'only application/json is accepted' };
}

function judgeMethod(method: string, allowed: readonly string[]): RequestRefusal | undefined {
  return allowed.includes(method) ? undefined : { status: 405, why: `only ${allowed.join(' and ')} are allowed` };
}

/** Links from other sites may open the page but not the API. */
function isFromHere(request: RequestFacts): boolean {
  const site = fetchSite((name) => request.header(name));
  return site === 'here' || (site === 'followed-link' && !request.path.startsWith('/api/'));
}

function forbidden(why: string): RequestRefusal {
  return { status: 403, why };
}
