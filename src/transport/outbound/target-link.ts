import type { JsonText } from '../../model/entry.ts';
import type { EnvelopePeek } from '../../protocol/envelope.ts';

/** One conversation's connection to a target, message by message. It never throws: what goes wrong is told. */
export interface TargetLink {
  /**
   * Sends what a client said: a message, or a batch as it was. Order is kept.
   *
   * It says whether more can be taken. After a `false` whoever sends should wait for `onDrain`; whoever does not will have
   * requests answered with an error, and anything else left out, once too much is waiting.
   */
  send(text: JsonText): boolean;
  /** The client no longer waits for the answer to this request of its own. */
  abandon(requestId: JsonText): void;
  /** Reads nothing more from the target until `resume`: whoever takes its messages has too many of them. */
  pause(): void;
  resume(): void;
  /** Ends the conversation as its transport wants it ended; resolves when all is over. */
  close(): Promise<void>;
}

/** Where a message of a target came from. */
export interface MessageOrigin {
  /** The id of the client's request on whose own stream it came, as that was sent. */
  readonly requestId?: JsonText | undefined;
  /** `{"event":"message","id":"evt-10"}` for one from an event stream. */
  readonly sse?: JsonText | undefined;
  /** The number of the exchange that it came with, of an HTTP target. */
  readonly exchange?: number | undefined;
  /** Whether it is no message of the server's but ours, in place of an answer that will not come. */
  readonly isOwn?: boolean | undefined;
}

/** How much of something was not kept: bytes of a line, characters of an event. */
export interface TooLong {
  readonly size: number;
  /** What tells whether two such lines are equal. */
  readonly sha256?: string | undefined;
}

/** What a link tells. */
export interface TargetLinkEvents {
  /** A message of the server, with what a look at it has told where there was one, or a batch as it was. */
  onMessage(text: JsonText, origin: MessageOrigin, peek?: EnvelopePeek): void;
  /**
   * Something that the server said beside the protocol: stderr, or what is no message where messages are expected. What was
   * too long to be kept is told with how long it was, and `text` says so in words.
   */
  onLine(stream: 'stderr' | 'noise', text: string, tooLong?: TooLong): void;
  /** An exchange with an HTTP target is over. */
  onExchange(exchange: LinkExchange): void;
  /** More can be sent, after `send` had said otherwise. */
  onDrain?(): void;
  /**
   * The connection is over and nothing will come any more. `reason` is absent where it was closed by us. Requests that have
   * no answer by then will have none.
   */
  onEnd(reason: string | undefined): void;
}

/** What is told of an HTTP exchange with the target. */
export interface LinkExchange {
  /** Its place among the exchanges of this link, from 1, in the order in which they began. */
  readonly exchange: number;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  /** Names and values in turn, without those that were added for the target. */
  readonly requestHeaders: readonly string[];
  readonly responseHeaders: readonly string[];
  /** Sizes of the two bodies. */
  readonly bytes: { readonly request: number; readonly response: number };
  readonly ms: { readonly firstByte: number | undefined; readonly end: number };
  readonly error: string | undefined;
}
