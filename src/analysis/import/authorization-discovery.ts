import { ObjectView } from '../../json/object-view.ts';
import type { Entry } from '../../model/entry.ts';
import { parseChallenges } from '../../protocol/auth-challenge.ts';

/** What an HTTP answer let a client see of how to get authorised. Never the values, only that they were there. */
export interface AuthorizationDiscovery {
  readonly resourceMetadataVisible: boolean;
  readonly scopeChallengeVisible: boolean;
}

/**
 * What one entry shows: only an HTTP answer with status 401 and a `WWW-Authenticate` challenge that names its resource
 * metadata or a scope shows anything. Requests, event streams, other statuses and the context of the transcript as a
 * whole never do.
 */
export function authorizationDiscoveryIn(entry: Entry): AuthorizationDiscovery | undefined {
  const challenges = challengesOf(entry).flatMap(parseChallenges);
  const resourceMetadataVisible = challenges.some(({ params }) => params.has('resource_metadata'));
  const scopeChallengeVisible = challenges.some(({ params }) => params.has('scope'));
  return resourceMetadataVisible || scopeChallengeVisible
    ? { resourceMetadataVisible, scopeChallengeVisible }
    : undefined;
}

/** The `WWW-Authenticate` values of an answer that was refused for want of authorisation. */
export function challengesOf(entry: Entry): string[] {
  if (entry.kind === 'message') {
    const isAnswer = entry.direction === 'server_to_client' && entry.sse === undefined;
    return isAnswer && entry.keepsakes?.transcript !== undefined ? fromTranscript(entry.keepsakes.transcript) : [];
  }
  if (entry.kind !== 'event') return [];
  if (entry.event === 'http.exchange') return fromExchange(entry.raw);
  const isEmptyAnswer = entry.event === 'transcript.entry' && ObjectView.of(entry.raw)?.has('response');
  return isEmptyAnswer ? fromTranscript(entry.raw) : [];
}

function fromTranscript(text: string): string[] {
  const entry = ObjectView.of(text);
  const context = entry?.object('transport_context');
  const says401 = [context, entry].some((view) => STATUS_KEYS.some((key) => isUnauthorised(view?.value(key))));
  return says401 ? [context, entry].flatMap((view) => headerValues(view?.value('headers'))) : [];
}

const STATUS_KEYS = ['status', 'status_code', 'http_status'];

function fromExchange(raw: string): string[] {
  const exchange = ObjectView.of(raw);
  return isUnauthorised(exchange?.value('status')) ? headerValues(exchange?.value('responseHeaders')) : [];
}

function isUnauthorised(status: unknown): boolean {
  return status === 401 || status === '401';
}

/** From `{"WWW-Authenticate": "…" or ["…"]}` or `[["WWW-Authenticate","…"]]`, in any case. */
function headerValues(headers: unknown): string[] {
  if (typeof headers !== 'object' || headers === null) return [];
  const pairs: unknown[] = Array.isArray(headers) ? headers : Object.entries(headers);
  return pairs.flatMap((pair) => {
    if (!Array.isArray(pair) || String(pair[0]).toLowerCase() !== 'www-authenticate') return [];
    return [pair[1]].flat().filter((value): value is string => typeof value === 'string');
  });
}
