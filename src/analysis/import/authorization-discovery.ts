import { ObjectView } from '../../json/object-view.ts';
import type { Entry } from '../../model/entry.ts';
import { parseChallenges } from '../../protocol/auth-challenge.ts';

/** Which authorization hints an HTTP response gave the client: only their presence, never their values. */
export interface AuthorizationDiscovery {
  readonly resourceMetadataVisible: boolean;
  readonly scopeChallengeVisible: boolean;
}

/**
 * The authorization hints in one entry. Only an HTTP response with status 401 has any, if its `WWW-Authenticate`
 * challenge names resource metadata or a scope. Requests, event streams, other statuses and the context of the whole
 * transcript never do.
 */
export function authorizationDiscoveryIn(entry: Entry): AuthorizationDiscovery | undefined {
  const challenges = challengesOf(entry).flatMap(parseChallenges);
  const resourceMetadataVisible = challenges.some(({ params }) => params.has('resource_metadata'));
  const scopeChallengeVisible = challenges.some(({ params }) => params.has('scope'));
  return resourceMetadataVisible || scopeChallengeVisible
    ? { resourceMetadataVisible, scopeChallengeVisible }
    : undefined;
}

/** The `WWW-Authenticate` values of a 401 response. */
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
  // Some tools describe the request and the response in the context separately.
  const views = [context, context?.object('response'), entry];
  const says401 = views.some((view) => STATUS_KEYS.some((key) => isUnauthorised(view?.value(key))));
  return says401 ? views.flatMap((view) => headerValues(view?.value('headers'))) : [];
}

const STATUS_KEYS = ['status', 'status_code', 'http_status'];

function fromExchange(raw: string): string[] {
  const exchange = ObjectView.of(raw);
  return isUnauthorised(exchange?.value('status')) ? headerValues(exchange?.value('responseHeaders')) : [];
}

function isUnauthorised(status: unknown): boolean {
  return status === 401 || status === '401';
}

/** Reads `{"WWW-Authenticate": "…" or ["…"]}` or `[["WWW-Authenticate","…"]]`; names are case-insensitive. */
function headerValues(headers: unknown): string[] {
  if (typeof headers !== 'object' || headers === null) return [];
  const pairs: unknown[] = Array.isArray(headers) ? headers : Object.entries(headers);
  return pairs.flatMap((pair) => {
    if (!Array.isArray(pair) || String(pair[0]).toLowerCase() !== 'www-authenticate') return [];
    return [pair[1]].flat().filter((value): value is string => typeof value === 'string');
  });
}
