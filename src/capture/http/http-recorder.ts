import type { Entry } from '../../model/entry.ts';
import { ToolHeaders } from '../../protocol/modern-headers.ts';
import type { ExchangeTap, RequestHead } from '../../proxy/http/exchange-tap.ts';
import { IdleQueue } from '../../proxy/http/idle-queue.ts';
import { isConnectionOpen } from '../../proxy/http/request-head.ts';
import { eventEntry } from '../../record/entry-maker.ts';
import type { LiveSession } from '../live-session.ts';
import { HttpConversations } from './conversations.ts';
import { ExchangeRecorder, type ExchangeRecorderOptions } from './exchange-recorder.ts';
import { LastRequestHeads } from './last-request-heads.ts';

export interface HttpRecorderOptions {
  readonly session: Pick<LiveSession, 'maker' | 'record'>;
  readonly maxMessageBytes: number;
  /** Whether each event stream is a conversation, as in HTTP+SSE. */
  readonly streamsAreConversations: boolean;
  readonly nowMs: () => number;
}

/** Records the HTTP exchanges of a listener: the messages in their bodies, and each exchange's outcome. */
export class HttpRecorder {
  /** Records the entries that the queued work has made. */
  readonly #flush = (): void => {
    const entries = this.#entries;
    if (entries.length === 0) return;
    this.#entries = [];
    this.#options.session.record(entries);
  };
  /** Defers recording until incoming data was forwarded. */
  readonly idleQueue: IdleQueue = new IdleQueue(this.#flush, (error) => this.#reportGap(error));
  /** The last request head of each conversation. */
  readonly heads: LastRequestHeads = new LastRequestHeads();
  /** The headers that repeat tool arguments, learned from `tools/list`. */
  readonly tools: ToolHeaders = new ToolHeaders();
  readonly #options: HttpRecorderOptions;
  readonly #shared: ExchangeRecorderOptions;
  /** How many exchanges are open. */
  #open = 0;
  #entries: Entry[] = [];
  #exchanges = 0;
  #nobodyIsOpen: () => void = () => undefined;

  constructor(options: HttpRecorderOptions) {
    const { session, maxMessageBytes, streamsAreConversations } = options;
    this.#options = options;
    this.#shared = {
      maker: session.maker,
      conversations: new HttpConversations(isConnectionOpen),
      heads: this.heads,
      tools: this.tools,
      maxMessageBytes,
      streamsAreConversations,
      entries: () => this.#entries,
      onEnd: () => this.#countEnd(),
    };
  }

  /** @param isOurs Whether mcpreel itself sends the request. */
  begin(head: RequestHead, isOurs = false): ExchangeTap {
    this.#open++;
    return new ExchangeRecorder(this.#exchanges++, head, this.#shared, isOurs);
  }

  /** Resolves when no exchange is open. */
  async exchangesOver(): Promise<void> {
    this.idleQueue.finish();
    if (this.#open > 0) await new Promise<void>((resolve) => (this.#nobodyIsOpen = resolve));
  }

  /** Resolves when everything that has arrived was decoded and recorded. */
  async decoded(): Promise<void> {
    await new Promise<void>((resolve) => this.idleQueue.afterAll(resolve));
    this.idleQueue.finish();
  }

  /** Records what is still waiting without decoding it. */
  hurry(): void {
    this.idleQueue.hurry('the session ended while it was being decoded');
  }

  #reportGap({ message }: Error): void {
    this.#entries.push(eventEntry('mcpreel.gap', this.#options.nowMs(), { missed: 1, why: message }));
  }

  #countEnd(): void {
    this.#open--;
    if (this.#open === 0) this.#nobodyIsOpen();
  }
}
