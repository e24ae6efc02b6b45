import type { JsonText } from '../model/entry.ts';
import { isRedacted } from '../model/placeholder.ts';
import { keyOf, type MatchLevel, type MatchTier, TIERS } from './match-keys.ts';
import { type NearestExchange, NearestExchanges } from './nearest-exchange.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import { RedactedRequests } from './redacted-requests.ts';

/** The recorded exchanges that match a request, in recorded order, and the tier at which they match. */
export interface FoundExchange {
  readonly tier: MatchTier;
  readonly exchanges: readonly RecordedExchange[];
  /** The matches when volatile metadata is ignored too. */
  wider(): readonly RecordedExchange[];
}

/** Looks up recorded exchanges by the content of a request. */
export class MockExchangeIndex {
  readonly #tiers: readonly MatchTier[];
  readonly #byKey = new Map<MatchTier, Map<string, RecordedExchange[]>>();
  readonly #methods = new Set<string>();
  readonly #notices = new Map<string, RecordedExchange[]>();
  readonly #redacted = new Map<string, RedactedRequests>();
  readonly #nearest = new NearestExchanges();

  constructor(exchanges: readonly RecordedExchange[], level: MatchLevel) {
    this.#tiers = TIERS[level];
    for (const tier of this.#tiers) this.#byKey.set(tier, new Map());
    for (const exchange of exchanges) this.#add(exchange);
  }

  find(text: JsonText, method: string): FoundExchange | undefined {
    for (const tier of this.#tiers) {
      const exchanges = this.#lookUp(text, method, tier);
      if (exchanges !== undefined)
        return { tier, exchanges, wider: () => this.#lookUp(text, method, 'same') ?? exchanges };
    }
    return this.#findRedacted(text, method);
  }

  /** Client notifications that the server reacted to. */
  notices(method: string): readonly RecordedExchange[] {
    return this.#notices.get(method) ?? [];
  }

  knows(method: string): boolean {
    return this.#methods.has(method);
  }

  nearest(text: JsonText, method: string): NearestExchange | undefined {
    return this.#nearest.find(text, method);
  }

  #lookUp(text: JsonText, method: string, tier: MatchTier): readonly RecordedExchange[] | undefined {
    const byKey = this.#byKey.get(tier);
    const key = byKey && keyOf(text, method, tier);
    return key === undefined ? undefined : byKey?.get(key);
  }

  #add(exchange: RecordedExchange): void {
    const { method, isRequest, step } = exchange;
    if (!isRequest) {
      put(this.#notices, method, exchange);
      return;
    }
    this.#methods.add(method);
    this.#nearest.add(exchange);
    if (isRedacted(step.text)) this.#addRedacted(exchange);
    for (const [tier, byKey] of this.#byKey) {
      const key = keyOf(step.text, method, tier);
      if (key !== undefined) put(byKey, key, exchange);
    }
  }

  #addRedacted(exchange: RecordedExchange): void {
    const requests = this.#redacted.get(exchange.method) ?? new RedactedRequests();
    this.#redacted.set(exchange.method, requests);
    requests.add(exchange);
  }

  #findRedacted(text: JsonText, method: string): FoundExchange | undefined {
    const exchanges = this.#redacted.get(method)?.find(text);
    return exchanges && { tier: 'same', exchanges, wider: () => exchanges };
  }
}

function put(exchanges: Map<string, RecordedExchange[]>, key: string, exchange: RecordedExchange): void {
  const known = exchanges.get(key);
  if (known === undefined) exchanges.set(key, [exchange]);
  else known.push(exchange);
}
