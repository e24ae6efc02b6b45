import type { JsonText } from '../model/entry.ts';
import type { ServerMessage } from '../recorded/recorded-dialogue.ts';
import type { ClientDialogue, MessageDelivery } from '../transport/inbound/inbound-transport.ts';
import type { MockExchangeIndex } from './exchange-index.ts';
import type { MockTally } from './mock-report.ts';
import type { ReplyPlayer, ReplyTrigger } from './reply-player.ts';

/** A live server that answers requests missing from the recording, as seen by one client. */
export interface FallbackServer {
  /** Sends a request that is not in the recording. */
  ask(text: JsonText): void;
  /** Forwards any other message of the client, if this server has to see it. */
  pass(text: JsonText): void;
  /** Stores the client's `initialize` request, to send it first when the connection opens. */
  greet(text: JsonText): void;
  /** The client no longer waits for the response to this request. */
  abandon(requestId: JsonText): void;
  close(): void;
}

/** Connects one client to a live server; `receive` gets that server's messages. */
export type OpenFallbackServer = (
  receive: (text: JsonText, delivery: MessageDelivery) => void,
  client: ClientDialogue,
) => FallbackServer;

/** The state and services that all clients of a mock server share. */
export interface FallbackServers {
  readonly index: MockExchangeIndex;
  readonly tally: MockTally;
  /** Converts a recorded delay into the time to wait now. */
  readonly pace: (recordedMs: number) => number;
  readonly openFallback: OpenFallbackServer | undefined;
  /** The exchanges that are being played, for all clients. */
  readonly running: Set<ReplyPlayer>;
  /** Whether requests of this method may be answered any number of times. */
  isReusable(method: string): boolean;
  mayRepeat(method: string): boolean;
  /** The recorded client's response to a server request. */
  answerTo(question: ServerMessage): JsonText | undefined;
  /** A generated response to a method that every server must support, if it was not recorded. */
  greeting(trigger: ReplyTrigger, id: JsonText): JsonText | undefined;
  warn(line: string): void;
  /** Like `warn`, but prints each line only once. */
  sendOnce(line: string): void;
}
