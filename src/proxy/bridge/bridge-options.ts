import type { JudgedFrame } from '../../intercept/held-message.ts';
import type { Interceptor } from '../../intercept/interceptor.ts';
import type { ClientMessage, InboundPlace, ServerMessageKind } from '../../transport/inbound/inbound-transport.ts';
import type { LinkExchange, TargetLink, TargetLinkEvents, TooLong } from '../../transport/outbound/target-link.ts';

export interface BridgeOptions {
  readonly openLink: (events: TargetLinkEvents) => TargetLink;
  /** Whether a target has to be sent a message to know that a request is not wanted any more. */
  readonly cancelsByMessage: boolean;
  readonly holding: BridgeHolding;
  readonly events: BridgeEvents;
}

/** Where it is asked what becomes of messages, and how they wait for that. */
export interface BridgeHolding {
  readonly interceptor: Interceptor;
  /** Whether messages may overtake those that are held. */
  readonly outOfOrder: boolean;
  readonly nowMs: () => number;
}

/** Messages that came as one and were held, changed, or went no further. */
export interface JudgedBridgeMessage extends JudgedFrame {
  /** When they came. */
  readonly atMs: number;
}

/** What a bridge tells of its clients and targets, with the conversation that it was said in. */
export interface BridgeEvents {
  /** What a client said was passed on as it was or, where it was judged, as that says. */
  onSent(said: ClientMessage, judged: JudgedBridgeMessage | undefined): void;
  /** A target was sent something of our own in its client's place. */
  onSentInPlace(text: string, place: InboundPlace): void;
  onLine(stream: 'stderr' | 'noise', text: string, conversation: number, tooLong?: TooLong): void;
  onTargetExchange(exchange: LinkExchange, conversation: number): void;
  /** Messages of the server that go no further. */
  onStopped(judged: JudgedBridgeMessage, conversation: number): void;
  /** A message of the server that is for no client, or for none that is still there. Its past is `Judged`, if it has one. */
  onUndelivered(untold: ServerMessageKind, conversation: number): void;
  /** A target ended by itself. */
  onTargetEnd(reason: string, conversation: number): void;
}
