import type { EventEntry } from '../../model/entry.ts';
import { headerPairs, type RawHeaders } from '../../proxy/http/http-headers.ts';
import { eventEntry } from '../../record/entry-maker.ts';

/** A finished HTTP exchange, to be recorded as an event entry. */
export interface FinishedExchange {
  readonly exchange: number;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly requestHeaders: RawHeaders;
  readonly responseHeaders: RawHeaders;
  readonly ms: {
    readonly connect?: number | undefined;
    readonly firstByte: number | undefined;
    readonly end: number;
  };
  readonly bytes: { readonly in: number; readonly out: number };
  readonly error: string | undefined;
  /** The origin that the target redirected to, if that is not the target's own. */
  readonly redirectsTo?: string | undefined;
  /** `target` for an exchange between a bridge and its target. */
  readonly side?: 'target' | undefined;
  /** Who sent the request, if not the client. */
  readonly askedBy?: 'mcpreel' | undefined;
  /** Who responded, if not the target. */
  readonly answeredBy?: 'mcpreel' | undefined;
}

export function exchangeEntry(
  {
    exchange,
    side,
    method,
    path,
    status,
    requestHeaders,
    responseHeaders,
    ms,
    bytes,
    error,
    redirectsTo,
    askedBy: requestedBy,
    answeredBy,
  }: FinishedExchange,
  atMs: number,
  conversation: number,
): EventEntry {
  const raw = {
    exchange,
    side,
    method,
    path,
    status: status ?? null,
    requestHeaders: headerPairs(requestHeaders),
    responseHeaders: headerPairs(responseHeaders),
    ms: { connect: ms.connect ?? null, firstByte: ms.firstByte ?? null, end: ms.end },
    bytes,
    error: error ?? null,
    redirectsTo,
    askedBy: requestedBy,
    answeredBy,
  };
  return eventEntry('http.exchange', atMs, raw, conversation);
}
