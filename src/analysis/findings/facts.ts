import type { JsonText } from '../../model/entry.ts';
import type { ToolDefinitions } from '../contract/tool-listing.ts';
import type { EventPlace } from './finding.ts';

/** What one dialogue between a client and the server has come to. */
export interface ConversationFacts {
  readonly number: number;
  /** Whether a client asked to `initialize`, and was told the server's side. */
  readonly handshake: 'none' | 'asked' | 'answered';
  readonly initialized: boolean;
  /** The revision that the handshake ended with. */
  readonly agreedRevision: string | undefined;
  /** Whether any message named its revision by itself. */
  readonly hasModern: boolean;
  /** What each side announced, as the text of an object. */
  readonly clientCapabilities: JsonText | undefined;
  readonly serverCapabilities: JsonText | undefined;
  /** The tools as they were last listed. */
  readonly tools: ToolDefinitions;
  /** Whether the server said that its tools changed, since they were last listed. */
  readonly toolsAnnounced: boolean;
}

/** One message that a client sent in an HTTP exchange. */
export interface PostedMessage {
  readonly sequence: number;
  readonly method: string | undefined;
  readonly isRequest: boolean;
  /** The key of its id. */
  readonly key: string | number | undefined;
  readonly revision: string | undefined;
  /** The headers that go with it, if it names its revision. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** An HTTP exchange that is not over. */
export interface OpenExchange {
  readonly conversation: number;
  readonly posted: readonly PostedMessage[];
  /** Whether the server said anything in it that is JSON-RPC. */
  readonly isAnswered: boolean;
  /** Whether a message in it named a revision without handshakes. */
  readonly isModern: boolean;
}

/** An HTTP exchange with a client, now that it is over. */
export interface EndedExchange extends OpenExchange {
  readonly number: number;
  readonly place: EventPlace;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly error: string | undefined;
  /** Whether mcpreel answered in the server's place. */
  readonly isOwnAnswer: boolean;
  requestHeader(name: string): string | undefined;
  responseHeader(name: string): string | undefined;
}
