import type { JsonText } from '../model/entry.ts';
import { answerText } from '../protocol/answer-text.ts';
import type { RecordedDialogue, ServerMessage } from '../recorded/recorded-dialogue.ts';
import type { ClientDialogue, DialogueEvents } from '../transport/inbound/inbound-transport.ts';
import { MockExchangeIndex } from './exchange-index.ts';
import type { FallbackServers, OpenFallbackServer } from './fallback-servers.ts';
import type { MatchLevel } from './match-keys.ts';
import { MockDialogue } from './mock-dialogue.ts';
import { type MockReport, MockTally } from './mock-report.ts';
import { MockPosition } from './position.ts';
import { exchangesOf, isProbing, type RecordedExchange } from './recorded-exchange.ts';
import { type ClientIntroduction, discovery, introductionIn, welcome } from './reply-eras.ts';
import type { ReplyPlayer, ReplyTrigger } from './reply-player.ts';

/**
 * What to do when all recordings of a request have been used.
 *
 * @example
 * ```ts
 * import { type Exhausted, startMock } from 'mcpreel';
 *
 * const exhausted: Exhausted = 'error';
 * const mock = await startMock('session.json', { exhausted });
 * await mock.stop();
 * ```
 */
export type ExhaustedPolicy = 'repeat' | 'error';

/** How fast responses are sent: at once, or at a multiple of the recorded speed. */
export type ReplyTiming = 'none' | number;

export interface MockServerOptions {
  readonly match: MatchLevel;
  readonly exhausted: ExhaustedPolicy;
  readonly timing: ReplyTiming;
  /** The server name to use if the server did not give one. */
  readonly label: string;
  /** Prints one line for the user. */
  readonly note: (line: string) => void;
  /** Connects a client to a live server for requests that are not in the recording. */
  readonly openFallback?: OpenFallbackServer | undefined;
}

/** Methods that may be answered any number of times, regardless of `exhausted`. */
const REUSABLE = /^(?:initialize|server\/discover|ping|tasks\/get|.*\/list)$/;

/** Serves a recording to any number of clients and holds the state they share. */
export class MockServer implements FallbackServers {
  readonly index: MockExchangeIndex;
  readonly tally: MockTally;
  readonly pace: (recordedMs: number) => number;
  readonly openFallback: OpenFallbackServer | undefined;
  readonly running: Set<ReplyPlayer> = new Set();
  readonly #options: MockServerOptions;
  readonly #answers = new Map<ServerMessage, JsonText>();
  readonly #introduction: ClientIntroduction;
  readonly #isEmpty: boolean;
  readonly #sent = new Set<string>();
  readonly #conversations: readonly number[];
  /** The position shared by all clients without a session, which cannot be distinguished. */
  readonly #shared: MockPosition;
  #clients = 0;

  constructor(dialogues: readonly RecordedDialogue[], options: MockServerOptions) {
    const { match, timing, label } = options;
    const exchanges = exchangesOf(dialogues);
    this.#options = options;
    this.index = new MockExchangeIndex(exchanges, match);
    this.tally = new MockTally(exchanges);
    this.pace = timing === 'none' ? () => 0 : (recordedMs) => recordedMs / timing;
    this.openFallback = options.openFallback;
    this.#isEmpty = exchanges.length === 0;
    this.#introduction = introductionIn(exchanges, label);
    this.#conversations = conversationsIn(exchanges);
    this.#shared = new MockPosition();
    for (const { steps } of dialogues) {
      for (const { answeredRequest: requested, text } of steps)
        if (requested !== undefined) this.#answers.set(requested, text);
    }
  }

  /** Starts to answer a client; `onLeft` is called when it disconnects. */
  join(client: ClientDialogue, onLeft: () => void): DialogueEvents {
    return new MockDialogue(client, client.isSingle ? this.#shared : this.#newPosition(), this, onLeft);
  }

  /** Stops every exchange that is being played. */
  close(): void {
    for (const player of this.running) player.stop();
  }

  report(): MockReport {
    return this.tally.report();
  }

  isReusable(method: string): boolean {
    return REUSABLE.test(method);
  }

  mayRepeat(method: string): boolean {
    return this.#options.exhausted === 'repeat' || this.isReusable(method);
  }

  answerTo(question: ServerMessage): JsonText | undefined {
    return this.#answers.get(question);
  }

  greeting({ text, method }: ReplyTrigger, id: JsonText): JsonText | undefined {
    // With an empty recording, the live server answers the greeting.
    if (this.#isEmpty) return undefined;
    if (method === 'ping') return answerText(id, 'result', '{}');
    if (method !== 'initialize' && method !== 'server/discover') return undefined;
    if (this.#introduction.isGuessed)
      this.sendOnce('The server capabilities were not recorded; they are inferred from the requests');
    else this.sendOnce(`The recording has no ${method}; the response is built from the recorded server information`);
    return method === 'initialize' ? welcome(text, id, this.#introduction) : discovery(id, this.#introduction);
  }

  warn(line: string): void {
    this.#options.note(`mcpreel: ${line}`);
  }

  sendOnce(line: string): void {
    if (this.#sent.has(line)) return;
    this.#sent.add(line);
    this.warn(line);
  }

  #newPosition(): MockPosition {
    return new MockPosition(() => this.#conversations[this.#clients++ % Math.max(1, this.#conversations.length)]);
  }
}

/** The conversations with more than a probe, in the order they began. */
function conversationsIn(exchanges: readonly RecordedExchange[]): number[] {
  const requests = exchanges.filter(({ isRequest, method }) => isRequest && !isProbing(method));
  return [...new Set(requests.map(({ conversation }) => conversation))];
}
