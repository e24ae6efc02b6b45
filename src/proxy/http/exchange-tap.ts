import type { JudgedFrame } from '../../intercept/held-message.ts';
import type { JsonText } from '../../model/entry.ts';
import type { RpcBody } from '../../protocol/rpc-body.ts';
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

/** What an event of a stream is called. */
export interface EventName {
  readonly event: string;
  readonly id?: string | undefined;
}

/** Looks at the copy of one exchange. Everything is told after it was passed on, and in order. */
export interface ExchangeTap {
  /** The number that it is recorded under. */
  readonly number: number;
  /** Which conversation it belongs to, for all that is known; a frame of it says more. */
  conversationOf(frame: RpcBody | undefined): number;
  requestChunk(chunk: Uint8Array, atMs: number): void;
  /** All of the request was read. */
  requestEnd(atMs: number): void;
  /** Messages of the request were held or changed. They are all of its body. */
  requestJudged(judged: JudgedFrame, atMs: number): void;
  /** @param isDecoded Whether the body comes without the encoding that the head names. */
  response(head: ResponseHead, atMs: number, isDecoded?: boolean): void;
  responseChunk(chunk: Uint8Array, atMs: number): void;
  /** Messages of the answer were held or changed: all of its body, or one event of it. */
  responseJudged(judged: JudgedFrame, atMs: number, event?: EventName): void;
  responseEnd(atMs: number): void;
  /** We have said this to the client. */
  sentByUs(text: string, atMs: number, event?: EventName): void;
  end(outcome: ExchangeOutcome, atMs: number): void;
  /** The id of the request that waits for an answer, if it is known and there is but one. */
  readonly requestId: JsonText | undefined;
}
