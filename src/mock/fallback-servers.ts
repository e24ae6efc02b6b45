import type { JsonText } from '../model/entry.ts';
import type { ServerMessage } from '../recorded/recorded-dialogue.ts';
import type { ClientDialogue, MessageDelivery } from '../transport/inbound/inbound-transport.ts';
import type { MockExchangeIndex } from './exchange-index.ts';
import type { MockTally } from './mock-report.ts';
import type { ReplyPlayer, ReplyTrigger } from './reply-player.ts';

/** A live server that is asked what the recording does not know. */
export interface FallbackServer {
  /** Sends it a request that is not in the recording. */
  ask(text: JsonText): void;
  /** Passes on what else the client says, if it is for that server. */
  pass(text: JsonText): void;
  /** Tells it what the client said to the mock when they met. */
  greet(text: JsonText): void;
  /** The client no longer waits for the answer to this request. */
  abandon(requestId: JsonText): void;
  close(): void;
}

/** Opens the way to a live server for one client, which hears what that server says. */
export type OpenFallbackServer = (
  receive: (text: JsonText, delivery: MessageDelivery) => void,
  client: ClientDialogue,
) => FallbackServer;

/** What all clients of a recording have in common. */
export interface FallbackServers {
  readonly index: MockExchangeIndex;
  readonly tally: MockTally;
  /** How long to wait where the recorded server took so long. */
  readonly pace: (recordedMs: number) => number;
  readonly openFallback: OpenFallbackServer | undefined;
  /** What is being performed, for whomever. */
  readonly running: Set<ReplyPlayer>;
  /** Whether such requests may be made any number of times. */
  isReusable(method: string): boolean;
  mayRepeat(method: string): boolean;
  /** What the recorded client answered to a question of the server. */
  answerTo(question: ServerMessage): JsonText | undefined;
  /** The answer to what every server must know, where it was not recorded. */
  greeting(trigger: ReplyTrigger, id: JsonText): JsonText | undefined;
  warn(line: string): void;
  /** The same, but not again. */
  sendOnce(line: string): void;
}
