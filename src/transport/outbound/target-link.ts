import type { JsonText } from '../../model/entry.ts';
import type { EnvelopePeek } from '../../protocol/envelope.ts';

/** A conversation's connection to a target, message by message. It never throws: failures are reported as events. */
export interface TargetLink {
  /**
   * Sends a client's message, or a batch unchanged. Order is kept.
   *
   * Returns whether more can be sent. After `false`, the sender should wait for `onDrain`. If it does not, requests
   * beyond the limit are answered with an error, and other messages are dropped.
   */
  send(text: JsonText): boolean;
  /** The client no longer waits for the answer to this request. */
  abandon(requestId: JsonText): void;
  /** Stops reading from the target until `resume`, because the receiver is behind. */
  pause(): void;
  resume(): void;
  /** Ends the conversation as its transport requires. Resolves when everything is over. */
  close(): Promise<void>;
}

/** Where a target's message came from. */
export interface MessageOrigin {
  /** The id of the client's request on whose stream it arrived, exactly as sent. */
  readonly requestId?: JsonText | undefined;
  /** For example `{"event":"message","id":"evt-10"}`, for a message from an event stream. */
  readonly sse?: JsonText | undefined;
  /** The number of the HTTP exchange that it arrived in. */
  readonly exchange?: number | undefined;
  /** Whether mcpreel wrote the message, in place of a missing answer. */
  readonly isOwn?: boolean | undefined;
}

/** The size of text that was not kept: bytes of a line, or characters of an event. */
export interface TooLong {
  readonly size: number;
  /** A hash to compare such lines with. */
  readonly sha256?: string | undefined;
}

/** What a link reports. */
export interface TargetLinkEvents {
  /** A message of the server, or a batch unchanged. `peek` is its envelope, if already parsed. */
  onMessage(text: JsonText, origin: MessageOrigin, peek?: EnvelopePeek): void;
  /**
   * Output of the server outside the protocol: stderr, or a text where a message is expected. For text that was too
   * long to keep, `tooLong` gives its size, and `text` describes it.
   */
  onLine(stream: 'stderr' | 'noise', text: string, tooLong?: TooLong): void;
  /** An exchange with an HTTP target is over. */
  onExchange(exchange: LinkExchange): void;
  /** More can be sent, after `send` returned false. */
  onDrain?(): void;
  /**
   * The connection is over, and no more events follow. `reason` is absent if mcpreel closed it. Requests without an
   * answer by then will get none.
   */
  onEnd(reason: string | undefined): void;
}

/** A finished HTTP exchange with the target. */
export interface LinkExchange {
  /** Its number within this link, from 1, in order of their start. */
  readonly exchange: number;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  /** Names and values alternate. Headers that the user added for the target are left out. */
  readonly requestHeaders: readonly string[];
  readonly responseHeaders: readonly string[];
  /** Sizes of the two bodies. */
  readonly bytes: { readonly request: number; readonly response: number };
  readonly ms: { readonly firstByte: number | undefined; readonly end: number };
  readonly error: string | undefined;
  /** The origin that the target redirected to, if that is not its own. Such a redirect is not followed. */
  readonly redirectsTo?: string | undefined;
}
