import type { Settlement } from '../../intercept/held-message.ts';
import type { Interceptor } from '../../intercept/interceptor.ts';
import type { ClientMessage, InboundPlace, ServerMessageKind } from '../../transport/inbound/inbound-transport.ts';
import type { LinkExchange, TargetLink, TargetLinkEvents, TooLong } from '../../transport/outbound/target-link.ts';

export interface BridgeOptions {
  readonly openLink: (events: TargetLinkEvents) => TargetLink;
  /** Whether the target must receive a message to know that a request is cancelled. */
  readonly cancelsByMessage: boolean;
  readonly holding: BridgeHolding;
  readonly events: BridgeEvents;
}

/** The interceptor of a bridge, and the order in which held messages are released. */
export interface BridgeHolding {
  readonly interceptor: Interceptor;
  /** Whether messages may overtake held ones. */
  readonly outOfOrder: boolean;
  readonly nowMs: () => number;
}

/** What a bridge reports about its clients and targets, with the conversation's number. */
export interface BridgeEvents {
  /** A client's message was forwarded unchanged or, if `settled` is given, as decided. */
  onSent(said: ClientMessage, settled: readonly Settlement[] | undefined): void;
  /** mcpreel sent this text to a target in place of the client. */
  onSentInPlace(text: string, place: InboundPlace): void;
  onLine(stream: 'stderr' | 'noise', text: string, conversation: number, tooLong?: TooLong): void;
  onTargetExchange(exchange: LinkExchange, conversation: number): void;
  /** Messages of the server that were not forwarded. */
  onStopped(settled: readonly Settlement[], conversation: number): void;
  /** A message of the server for which no client is connected. Its `past` is a list of settlements, if it has one. */
  onUndelivered(untold: ServerMessageKind, conversation: number): void;
  /** A target ended by itself. */
  onTargetEnd(reason: string, conversation: number): void;
}
