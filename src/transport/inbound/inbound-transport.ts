import type { JsonText } from '../../model/entry.ts';
import type { RpcBody } from '../../protocol/rpc-body.ts';
import type { LongLine } from '../bounded-lines.ts';

/** The conversation and HTTP exchange of a client's message. */
export interface InboundPlace {
  /** The conversation's number; 0 for messages outside a conversation. */
  readonly conversation: number;
  /** The number of the HTTP exchange. */
  readonly exchange?: number | undefined;
  /** `{"event":"message"}` for a message sent on an event stream. */
  readonly sse?: JsonText | undefined;
}

/** Metadata of a message to deliver. */
export interface MessageDelivery {
  /** The id of the client's request on whose stream the message arrived. */
  readonly requestId?: JsonText | undefined;
  /** The client's id of the answered request, if the message names another id or none. */
  readonly answers?: JsonText | undefined;
  /** Whether mcpreel wrote the message in place of the server. */
  readonly isOwn?: boolean | undefined;
  /** Data of the recorder about the message. An inbound transport returns it unchanged. */
  readonly past?: unknown;
}

/** What a client sent in one piece: a message or a batch. */
export interface ClientMessage {
  readonly body: RpcBody;
  /** The complete text as received. */
  readonly text: JsonText;
  readonly place: InboundPlace;
  /** To be called when the message no longer waits in mcpreel: it was sent, or will not be. */
  readonly release?: (() => void) | undefined;
}

/** What a client received: a message, or a batch as the server sent it. */
export interface ServerMessageKind {
  readonly text: JsonText;
  readonly delivery: MessageDelivery;
}

/** One client's conversation with mcpreel, to be connected with a target. Never throws. */
export interface ClientDialogue {
  readonly conversation: number;
  /** Whether it is a single exchange, which shares its target with others. */
  readonly isSingle: boolean;
  /** Whether batches are forwarded message by message, in both directions. */
  readonly takesApart: boolean;
  /** Sends a server message to the client. Returns false if the caller should wait for `onDrain`. */
  deliver(text: JsonText, delivery: MessageDelivery): boolean;
  /** The target accepts messages again, after `onMessage` returned false. */
  resume(): void;
  /** Nothing more will be delivered. */
  end(): void;
}

/** What a client dialogue reports to the bridge. */
export interface DialogueEvents {
  /** Returns false if the dialogue should wait for `resume`. */
  onMessage(said: ClientMessage): boolean;
  /** The client no longer waits for the answer to this request. */
  onAbandon(requestId: JsonText): void;
  /** More can be delivered. */
  onDrain(): void;
  /** The client has disconnected or ended the conversation. */
  onEnd(): void;
  /** Resolves when the client waits for no answer. */
  answered(): Promise<void>;
  /** Whether a message from or to the client is held. */
  isHeld(): boolean;
  /** Resolves when no message is held any more. */
  released(): Promise<void>;
}

/** A line on mcpreel's stdin that is not a message. */
export type StrayLine = { readonly text: string } | { readonly bytes: Uint8Array } | LongLine;

/** What an inbound transport reports: new dialogues, and messages sent to clients. */
export interface InboundEvents {
  onDialogue(dialogue: ClientDialogue): DialogueEvents;
  onReported(reported: ServerMessageKind, place: InboundPlace): void;
  /** A client received these messages as one batch. */
  onReportedAsBatch(reported: readonly ServerMessageKind[], place: InboundPlace): void;
  /** A client received the address to which it must post messages. */
  onEndpoint(address: string, place: InboundPlace): void;
  /** A server message that could not be delivered, because no client was connected. */
  onUndelivered(untold: ServerMessageKind, conversation: number): void;
  /** A line that is not a message, and was not forwarded. */
  onStrayLine(line: StrayLine): void;
  /** Returns the number for a new HTTP exchange. */
  nextExchange(): number;
  onExchange(exchange: ClientExchange): void;
}

/** A finished HTTP exchange with a client. */
export interface ClientExchange {
  readonly exchange: number;
  readonly conversation: number;
  readonly method: string;
  readonly path: string;
  /** Missing if the client disconnected before the response. */
  readonly status: number | undefined;
  /** Names and values alternate. */
  readonly requestHeaders: readonly string[];
  readonly responseHeaders: readonly string[];
  readonly ms: { readonly firstByte: number | undefined; readonly end: number };
  readonly bytes: { readonly in: number; readonly out: number };
  readonly error: string | undefined;
}

/** The client-facing side of a bridge. */
export interface InboundTransport {
  /** Ends every dialogue, and accepts no more. */
  close(): void;
}
