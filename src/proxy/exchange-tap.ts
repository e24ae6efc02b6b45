import type { JsonText } from '../model/entry.ts';
import type { RawHeaders } from './http-headers.ts';

/** What a client asks for. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** As they were sent, but for what was meant for us. */
  readonly headers: RawHeaders;
}

/** What the target answers. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: RawHeaders;
}

/** How an exchange ended. Times are milliseconds from its begin. */
export interface ExchangeOutcome {
  readonly ms: {
    readonly connect: number | undefined;
    readonly firstByte: number | undefined;
    readonly end: number;
  };
  /** Body bytes in either direction, as they crossed the wire. */
  readonly bytes: { readonly in: number; readonly out: number };
  /** What went wrong, if anything did. */
  readonly error: string | undefined;
  /** What we answered in the target's place. */
  readonly ownAnswer: { readonly status: number; readonly text: JsonText | undefined } | undefined;
}

/** Looks at the copy of one exchange. Everything is told after it was passed on, and in order. */
export interface ExchangeTap {
  requestChunk(chunk: Uint8Array, atMs: number): void;
  /** All of the request was read. */
  requestEnd(atMs: number): void;
  response(head: ResponseHead, atMs: number): void;
  responseChunk(chunk: Uint8Array, atMs: number): void;
  responseEnd(atMs: number): void;
  end(outcome: ExchangeOutcome, atMs: number): void;
  /** The id of the request that waits for an answer, if it is known and there is but one. */
  readonly requestId: JsonText | undefined;
}
