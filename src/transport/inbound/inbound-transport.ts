import type { JsonText } from '../../model/entry.ts';
import type { RpcBody } from '../../protocol/rpc-body.ts';
import type { LongLine } from '../bounded-lines.ts';

/** Whom a client's message or exchange belongs to, and where it passed. */
export interface InboundPlace {
  /** Which of the session's conversations; 0 for what has none of its own. */
  readonly conversation: number;
  /** The HTTP exchange that it passed in. */
  readonly exchange?: number | undefined;
  /** `{"event":"message"}` for what was sent on an event stream. */
  readonly sse?: JsonText | undefined;
}

/** What is known of a message that is to be delivered. */
export interface MessageDelivery {
  /** The id of the client's request on whose own stream it came. */
  readonly requestId?: JsonText | undefined;
  /** The client's own id of the request that it answers, where it names another or none. */
  readonly answers?: JsonText | undefined;
  /** Whether the server never said it: we did, in its place. */
  readonly isOwn?: boolean | undefined;
  /** What those who record it know of its past. A front gives it back as it is. */
  readonly past?: unknown;
}

/** What a client said at once: a message, or a batch. */
export interface ClientMessage {
  readonly body: RpcBody;
  /** The text of it all, as it was. */
  readonly text: JsonText;
  readonly place: InboundPlace;
}

/** What a client was told: a message, or a batch as the server made it. */
export interface ServerMessageKind {
  readonly text: JsonText;
  readonly delivery: MessageDelivery;
}

/** One client's dialogue with us, to be joined with a target. It never throws. */
export interface ClientDialogue {
  readonly conversation: number;
  /** Whether it is a single exchange, which has a target in common with others. */
  readonly isSingle: boolean;
  /** Whether what comes as a batch goes on message by message, either way. */
  readonly takesApart: boolean;
  /** Passes on what the server said. False asks to wait for `onDrain` with more. */
  deliver(text: JsonText, delivery: MessageDelivery): boolean;
  /** The target takes more again, after `onMessage` had said otherwise. */
  resume(): void;
  /** Nothing will be delivered any more. */
  end(): void;
}

/** What a dialogue tells whoever joins it with a target. */
export interface DialogueEvents {
  /** False asks to wait for `resume` with more. */
  onMessage(said: ClientMessage): boolean;
  /** The client no longer waits for the answer to this request. */
  onAbandon(requestId: JsonText): void;
  /** More can be delivered. */
  onDrain(): void;
  /** The client has left, or wants no more. */
  onEnd(): void;
  /** Resolves when the client waits for no answer. */
  answered(): Promise<void>;
  /** Whether somebody holds something that the client said, or is to be told. */
  isHeld(): boolean;
  /** Resolves when nobody does any more. */
  released(): Promise<void>;
}

/** A line on our own stdin that is no message. */
export type StrayLine = { readonly text: string } | { readonly bytes: Uint8Array } | LongLine;

/** What a front tells: who begins to talk, and what clients were told. */
export interface InboundEvents {
  onDialogue(dialogue: ClientDialogue): DialogueEvents;
  onReported(reported: ServerMessageKind, place: InboundPlace): void;
  /** A client was given these as one batch. */
  onReportedAsBatch(reported: readonly ServerMessageKind[], place: InboundPlace): void;
  /** A client was told where to send what it has to say. */
  onEndpoint(address: string, place: InboundPlace): void;
  /** A message of the server that nobody was there to take. */
  onUndelivered(untold: ServerMessageKind, conversation: number): void;
  /** A line that is no message, and was not passed on. */
  onStrayLine(line: StrayLine): void;
  /** Begins an HTTP exchange, and numbers it. */
  nextExchange(): number;
  onExchange(exchange: ClientExchange): void;
}

/** What is told of an HTTP exchange with a client when it is over. */
export interface ClientExchange {
  readonly exchange: number;
  readonly conversation: number;
  readonly method: string;
  readonly path: string;
  /** Missing where the client left before it was answered. */
  readonly status: number | undefined;
  /** Names and values in turn. */
  readonly requestHeaders: readonly string[];
  readonly responseHeaders: readonly string[];
  readonly ms: { readonly firstByte: number | undefined; readonly end: number };
  readonly bytes: { readonly in: number; readonly out: number };
  readonly error: string | undefined;
}

/** The side of a bridge that clients talk to. */
export interface InboundTransport {
  /** Ends every dialogue, and takes no more. */
  close(): void;
}
