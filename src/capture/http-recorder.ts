import type { Entry } from '../model/entry.ts';
import type { ExchangeTap, RequestHead } from '../proxy/exchange-tap.ts';
import { Conversations } from './conversations.ts';
import type { EntryMaker } from './entry-maker.ts';
import { RecordedExchange } from './recorded-exchange.ts';

export interface HttpRecorderOptions {
  readonly maker: EntryMaker;
  readonly maxMessageBytes: number;
  /** Whether an event stream is the whole of a conversation, as in the older transport. */
  readonly streamsAreConversations: boolean;
  readonly record: (entries: readonly Entry[]) => void;
}

/** Records the exchanges of a listener: the messages in their bodies, and what else there is to say of each. */
export class HttpRecorder {
  readonly #options: HttpRecorderOptions;
  readonly #conversations = new Conversations();
  readonly #open = new Set<RecordedExchange>();
  #entries: Entry[] = [];
  #exchanges = 0;
  #nobodyIsOpen: () => void = () => undefined;

  constructor(options: HttpRecorderOptions) {
    this.#options = options;
  }

  begin(head: RequestHead): ExchangeTap {
    const { maker, maxMessageBytes, streamsAreConversations } = this.#options;
    const exchange = new RecordedExchange({
      number: this.#exchanges++,
      head,
      maker,
      conversations: this.#conversations,
      maxMessageBytes,
      streamsAreConversations,
      // What is decoded comes when it is ready.
      entries: () => this.#toBeWritten(),
      onEnd: () => this.#forget(exchange),
    });
    this.#open.add(exchange);
    return exchange;
  }

  /** Records what was gathered. */
  flush(): void {
    const entries = this.#entries;
    if (entries.length === 0) return;
    this.#entries = [];
    this.#options.record(entries);
  }

  /** Resolves when every exchange was recorded. */
  async finished(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#nobodyIsOpen = resolve));
    this.flush();
  }

  #toBeWritten(): Entry[] {
    if (this.#entries.length === 0) setImmediate(() => this.flush());
    return this.#entries;
  }

  #forget(exchange: RecordedExchange): void {
    this.#open.delete(exchange);
    if (this.#open.size === 0) this.#nobodyIsOpen();
  }
}
