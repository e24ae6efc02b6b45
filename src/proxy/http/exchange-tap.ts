import type { Settlement } from '../../intercept/held-message.ts';
import type { JsonText } from '../../model/entry.ts';
import type { RpcBody } from '../../protocol/rpc-body.ts';
import type { RawHeaders } from './http-headers.ts';
import type { UnfinishedWork } from './idle-queue.ts';

/** Method, path and headers of a client's request. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** As sent, without mcpreel's token. */
  readonly headers: RawHeaders;
  /** The number of the connection that it arrived on, if a client sent it. */
  readonly connection?: number;
}

/** Status and headers of the target's response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: RawHeaders;
}

/** How an exchange ended. Times are milliseconds since its start. */
export interface ExchangeOutcome {
  readonly ms: {
    readonly connect: number | undefined;
    readonly firstByte: number | undefined;
    readonly end: number;
  };
  /** Body bytes in each direction, as transferred. */
  readonly bytes: { readonly in: number; readonly out: number };
  /** The failure, if there was one. */
  readonly error: string | undefined;
  /** The origin that the target redirected the client to, if that is not the target's own. */
  readonly redirectsTo?: string | undefined;
  /** The response that mcpreel sent in place of the target. */
  readonly ownAnswer: { readonly status: number; readonly text: JsonText | undefined } | undefined;
}

/** Name and id of a server-sent event. */
export interface EventName {
  readonly event: string;
  readonly id?: string | undefined;
}

/**
 * Records one HTTP exchange. Everything is reported in order, after it was forwarded. An encoded body takes time to
 * decode, and until that is done, nothing else may be reported to any exchange.
 */
export interface ExchangeTap {
  /** The number that it is recorded under. */
  readonly number: number;
  /** The conversation that it belongs to, as far as known. A frame of it makes the result more precise. */
  conversationOf(frame: RpcBody | undefined): number;
  requestChunk(chunk: Uint8Array, atMs: number): UnfinishedWork | undefined;
  /** The whole request was read. */
  requestEnd(atMs: number): UnfinishedWork | undefined;
  /** Messages of the request were held or ruled on. They make up its whole body. */
  requestSettled(settled: readonly Settlement[]): void;
  /** @param isDecoded Whether the body arrives without the encoding named in the head. */
  response(head: ResponseHead, atMs: number, isDecoded?: boolean): void;
  responseChunk(chunk: Uint8Array, atMs: number): UnfinishedWork | undefined;
  /** Messages of the response were held or ruled on: its whole body, or one of its events. */
  responseSettled(settled: readonly Settlement[], event?: EventName): void;
  responseEnd(atMs: number): UnfinishedWork | undefined;
  /** mcpreel sent this to the client. */
  sentByUs(text: string, atMs: number, event?: EventName): void;
  end(outcome: ExchangeOutcome, atMs: number): void;
  /** The id of the request that waits for an answer, if known and unique. */
  readonly requestId: JsonText | undefined;
}
