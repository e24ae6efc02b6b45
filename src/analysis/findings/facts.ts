import type { JsonText } from '../../model/entry.ts';
import type { ToolDefinitions } from '../contract/tool-listing.ts';
import type { EventPlace } from './finding.ts';

/** The state of conversations and HTTP exchanges that finders use. */

/** The state of one conversation between a client and the server. */
export interface ConversationFacts {
  readonly number: number;
  /** Whether a client sent `initialize`, and whether the server answered. */
  readonly handshake: 'none' | 'asked' | 'answered';
  readonly initialized: boolean;
  /** The revision that the handshake negotiated. */
  readonly agreedRevision: string | undefined;
  /** Whether any message named its own revision. */
  readonly hasModern: boolean;
  /** Whether all messages that named their revision only asked for the revisions of the server. */
  readonly hasOnlyProbed: boolean;
  /** The announced capabilities of each side, as the text of an object. */
  readonly clientCapabilities: JsonText | undefined;
  readonly serverCapabilities: JsonText | undefined;
  /** The tools in the last listing. */
  readonly tools: ToolDefinitions;
  /** The tools that were listed since the server sent `tools/list_changed`; `undefined` if it did not. */
  readonly listedSinceChange: ReadonlySet<string> | undefined;
}

/** One message that a client sent in an HTTP exchange. */
export interface PostedMessage {
  readonly sequence: number;
  readonly method: string | undefined;
  readonly isRequest: boolean;
  /** The key of its id. */
  readonly key: string | number | undefined;
  readonly revision: string | undefined;
  /** The headers that it requires, if it names its revision. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** An HTTP exchange that has not ended. */
export interface OpenExchange {
  readonly conversation: number;
  readonly posted: readonly PostedMessage[];
  /** Whether the server sent any JSON-RPC message in it. */
  readonly isAnswered: boolean;
  /** Whether a message in it named a revision without a handshake. */
  readonly isModern: boolean;
}

/** An HTTP exchange with a client that has ended. */
export interface EndedExchange extends OpenExchange {
  readonly number: number;
  readonly place: EventPlace;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly error: string | undefined;
  /** Whether mcpreel answered instead of the server. */
  readonly isOwnAnswer: boolean;
  requestHeader(name: string): string | undefined;
  responseHeader(name: string): string | undefined;
}
