import type { Entry } from '../model/entry.ts';
import { ToolHeaders } from '../protocol/modern-headers.ts';
import { Afterwards } from '../proxy/afterwards.ts';
import type { ExchangeTap, RequestHead } from '../proxy/exchange-tap.ts';
import { Conversations } from './conversations.ts';
import { type EntryMaker, eventEntry } from './entry-maker.ts';
import { RecordedExchange, type RecordedExchangeOptions } from './recorded-exchange.ts';
import { SpokenHeads } from './spoken-heads.ts';

export interface HttpRecorderOptions {
  readonly maker: EntryMaker;
  readonly maxMessageBytes: number;
  /** Whether an event stream is the whole of a conversation, as in the older transport. */
  readonly streamsAreConversations: boolean;
  readonly record: (entries: readonly Entry[]) => void;
  readonly nowMs: () => number;
}

/** How long what is said of an exchange as a whole may wait for others: the next request comes first. */
const SUMMARY_MS = 10;

/** Records the exchanges of a listener: the messages in their bodies, and what else there is to say of each. */
export class HttpRecorder {
  /** What is looked at waits here until everything was passed on. */
  readonly afterwards: Afterwards = new Afterwards(
    () => this.#flush(),
    (error) => this.#tellGap(error),
  );
  /** How clients have said something last. */
  readonly heads: SpokenHeads = new SpokenHeads();
  /** What tools/list said of headers that repeat arguments. */
  readonly tools: ToolHeaders = new ToolHeaders();
  readonly #options: HttpRecorderOptions;
  readonly #shared: RecordedExchangeOptions;
  readonly #open = new Set<RecordedExchange>();
  #entries: Entry[] = [];
  #exchanges = 0;
  #summaries: (() => Entry)[] = [];
  #summaryTimer: NodeJS.Timeout | undefined;
  #nobodyIsOpen: () => void = () => undefined;

  constructor(options: HttpRecorderOptions) {
    const { maker, maxMessageBytes, streamsAreConversations } = options;
    this.#options = options;
    this.#shared = {
      maker,
      conversations: new Conversations(),
      heads: this.heads,
      tools: this.tools,
      maxMessageBytes,
      streamsAreConversations,
      later: (work) => this.afterwards.add(work),
      entries: () => this.#entries,
      summarise: (make) => this.#summarise(make),
      onEnd: (exchange) => this.#forget(exchange),
    };
  }

  /** @param isOurs Whether no client has asked, but we ourselves. */
  begin(head: RequestHead, isOurs = false): ExchangeTap {
    const exchange = new RecordedExchange(this.#exchanges++, head, this.#shared, isOurs);
    this.#open.add(exchange);
    return exchange;
  }

  /** Resolves when every exchange was recorded. */
  async finished(): Promise<void> {
    this.afterwards.finish();
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#nobodyIsOpen = resolve));
    this.afterwards.finish();
    this.#flushSummaries();
  }

  #flush(): void {
    const entries = this.#entries;
    if (entries.length === 0) return;
    this.#entries = [];
    this.#options.record(entries);
  }

  #summarise(make: () => Entry): void {
    this.#summaryTimer ??= setTimeout(() => this.#flushSummaries(), SUMMARY_MS);
    this.#summaries.push(make);
  }

  #flushSummaries(): void {
    clearTimeout(this.#summaryTimer);
    this.#summaryTimer = undefined;
    const summaries = this.#summaries;
    this.#summaries = [];
    for (const make of summaries) this.#entries.push(make());
    this.#flush();
  }

  #tellGap({ message }: Error): void {
    this.#entries.push(eventEntry('mcpreel.gap', this.#options.nowMs(), { missed: 1, why: message }));
  }

  #forget(exchange: RecordedExchange): void {
    this.#open.delete(exchange);
    if (this.#open.size === 0) this.#nobodyIsOpen();
  }
}
