import type { JsonText } from '../model/entry.ts';
import type { LinkExchange, TargetLink, TargetLinkEvents } from '../transport/links/target-link.ts';

export interface BridgeOptions {
  readonly openLink: (events: TargetLinkEvents) => TargetLink;
  /** Whether a target has to be sent a message to know that a request is not wanted any more. */
  readonly cancelsByMessage: boolean;
  readonly events: BridgeEvents;
}

/** What a bridge tells of its targets, with the conversation that it was said in. */
export interface BridgeEvents {
  onLine(stream: 'stderr' | 'noise', text: string, conversation: number): void;
  onTargetExchange(exchange: LinkExchange, conversation: number): void;
  /** A message of the server that is for no client, or for none that is still there. */
  onUndelivered(text: JsonText, conversation: number): void;
  /** A target ended by itself. */
  onTargetEnd(reason: string, conversation: number): void;
}
