import type { Writable } from 'node:stream';
import type { Direction, Entry, JsonText } from '../model/entry.ts';
import { objectsOf, type RpcBody } from '../protocol/rpc-body.ts';
import type { BridgeEvents } from '../proxy/bridge-options.ts';
import type { ClientExchange, FrontEvents, FrontPlace, StrayLine } from '../transport/fronts/client-front.ts';
import type { LinkExchange } from '../transport/links/target-link.ts';
import { type EntryMaker, eventEntry, lineEntry } from './entry-maker.ts';
import { exchangeEntry } from './exchange-entry.ts';

export interface BridgeRecorderOptions {
  readonly maker: EntryMaker;
  readonly record: (entries: readonly Entry[]) => void;
  readonly nowMs: () => number;
  /** Whether what comes in place of messages is kept: over HTTP it may be anything, and secret. */
  readonly keepsNoise: boolean;
  /** Where what servers say on their stderr is shown. */
  readonly stderr: Writable;
}

type Recorded = Omit<FrontEvents, 'onDialogue'> & Omit<BridgeEvents, 'onTargetEnd'>;

/** Records both sides of a bridge: what clients said and were told, and what is known of the exchanges and servers. */
export class BridgeRecorder implements Recorded {
  readonly #options: BridgeRecorderOptions;
  #exchanges = 0;
  #openExchanges = 0;
  #nobodyIsOpen: () => void = () => undefined;

  constructor(options: BridgeRecorderOptions) {
    this.#options = options;
  }

  /** Resolves when every exchange with a client is recorded. */
  async finished(): Promise<void> {
    if (this.#openExchanges > 0) await new Promise<void>((resolve) => (this.#nobodyIsOpen = resolve));
  }

  nextExchange(): number {
    this.#openExchanges++;
    return this.#exchanges++;
  }

  onPassed(body: RpcBody, direction: Direction, { conversation, exchange, sse, isOwn }: FrontPlace): void {
    const { maker, nowMs, record } = this.#options;
    const entries: Entry[] = [];
    maker.addFrame(body, direction, nowMs(), entries, { conversation, exchange, sse, injected: isOwn });
    record(entries);
  }

  onEndpoint(data: string, { conversation, exchange }: FrontPlace): void {
    this.#tell('http.event', { exchange, event: 'endpoint', data }, conversation);
  }

  onUndelivered(text: JsonText, conversation: number): void {
    const { maker, nowMs, record } = this.#options;
    const body = objectsOf(text);
    if (body === undefined) return;
    const entries: Entry[] = [];
    maker.addFrame(body, 'server_to_client', nowMs(), entries, { conversation });
    record(entries.map((entry) => (entry.kind === 'message' ? { ...entry, dropped: true } : entry)));
  }

  onStrayLine(line: StrayLine): void {
    this.#options.record([lineEntry('stdio.noise', this.#options.nowMs(), line, { dir: 'in' })]);
  }

  onLine(stream: 'stderr' | 'noise', text: string, conversation: number): void {
    const { stderr, keepsNoise } = this.#options;
    if (stream === 'stderr' && !stderr.destroyed) stderr.write(`${text}\n`);
    if (stream === 'stderr') this.#tell('stdio.stderr', { text }, conversation);
    else this.#tell('stdio.noise', { dir: 'out', ...(keepsNoise ? { text } : { size: text.length }) }, conversation);
  }

  onExchange(exchange: ClientExchange): void {
    const { maker, nowMs, record } = this.#options;
    record([exchangeEntry(exchange, nowMs(), exchange.conversation)]);
    maker.endExchange(exchange.exchange);
    this.#openExchanges--;
    if (this.#openExchanges === 0) this.#nobodyIsOpen();
  }

  onTargetExchange(exchange: LinkExchange, conversation: number): void {
    const { nowMs, record } = this.#options;
    const bytes = { in: exchange.bytes.request, out: exchange.bytes.response };
    const finished = { ...exchange, exchange: this.#exchanges++, bytes, side: 'target' } as const;
    record([exchangeEntry(finished, nowMs(), conversation)]);
  }

  #tell(event: string, raw: Readonly<Record<string, unknown>>, conversation: number): void {
    this.#options.record([eventEntry(event, this.#options.nowMs(), raw, conversation)]);
  }
}
