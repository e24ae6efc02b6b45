import { compareNodes, type Difference } from '../analysis/diff/compare-answers.ts';
import type { JsonText } from '../model/entry.ts';
import { isRedacted } from '../model/placeholder.ts';
import { PLACEHOLDERS } from '../redact/placeholder.ts';
import { keyOf, type MatchLevel, type MatchTier, substanceOf, TIERS } from './match-keys.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

/** The recorded exchanges that match a request, in recorded order, and the tier at which they match. */
export interface FoundExchange {
  readonly tier: MatchTier;
  readonly exchanges: readonly RecordedExchange[];
  /** The matches when volatile metadata is ignored too. */
  wider(): readonly RecordedExchange[];
}

/** The recorded exchange closest to a request without a match, and where the two differ. */
export interface NearestExchange {
  readonly exchange: RecordedExchange;
  readonly differences: readonly Difference[];
}

/** The nearest exchange is looked for among this many, the latest of its method. */
const MAX_COMPARED = 500;

/** Looks up recorded exchanges by the content of a request. */
export class MockExchangeIndex {
  readonly #tiers: readonly MatchTier[];
  readonly #byKey = new Map<MatchTier, Map<string, RecordedExchange[]>>();
  readonly #byMethod = new Map<string, RecordedExchange[]>();
  readonly #notices = new Map<string, RecordedExchange[]>();
  /** Requests with redacted values, by method. The original values behind the placeholders are unknown. */
  readonly #redacted = new Map<string, RecordedExchange[]>();
  readonly #hidden = new Map<string, readonly RecordedExchange[]>();

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
    return this.#byMethod.has(method);
  }

  nearest(text: JsonText, method: string): NearestExchange | undefined {
    const known = this.#byMethod.get(method)?.slice(-MAX_COMPARED) ?? [];
    let nearest: NearestExchange | undefined;
    for (const exchange of known) {
      const differences = differencesOf(exchange, text);
      if (nearest === undefined || weight(differences) < weight(nearest.differences))
        nearest = { exchange, differences };
    }
    return nearest;
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
    put(this.#byMethod, method, exchange);
    if (isRedacted(step.text)) put(this.#redacted, method, exchange);
    for (const [tier, byKey] of this.#byKey) {
      const key = keyOf(step.text, method, tier);
      if (key !== undefined) put(byKey, key, exchange);
    }
  }

  #findRedacted(text: JsonText, method: string): FoundExchange | undefined {
    const exchanges = this.#redacted
      .get(method)
      ?.filter((exchange) =>
        differencesOf(exchange, text).every(({ recorded, replayed }) => isHidden(recorded, replayed)),
      );
    if (exchanges === undefined || exchanges.length === 0) return undefined;
    // MockPosition tracks progress by array identity, so the same exchanges must yield the same array.
    const key = exchanges.map(({ step }) => step.entry.sequence).join();
    const known = this.#hidden.get(key) ?? exchanges;
    this.#hidden.set(key, known);
    return { tier: 'same', exchanges: known, wider: () => known };
  }
}

export function differencesOf({ step }: RecordedExchange, text: JsonText): Difference[] {
  const [recorded, requested] = [substanceOf(step.text), substanceOf(text)];
  if (recorded === undefined || requested === undefined) return [{ path: '$', recorded: step.text, replayed: text }];
  return compareNodes(recorded, requested, '$', { profile: 'strict' });
}

/** Whether `requested` could be the original of `recorded`, a text with redaction placeholders. */
function isHidden(recorded: JsonText | undefined, requested: JsonText | undefined): boolean {
  if (recorded === undefined || requested === undefined || !recorded.startsWith('"')) return false;
  const parts = recorded.split(PLACEHOLDERS);
  const last = parts.at(-1) ?? '';
  if (parts.length < 2 || !requested.startsWith(parts[0] ?? '') || !requested.endsWith(last)) return false;
  let at = 0;
  return parts.every((part) => {
    const found = requested.indexOf(part, at);
    at = found + part.length;
    return found >= 0;
  });
}

/** A different tool, prompt or resource counts 100 times as much as a different argument. */
function weight(differences: readonly Difference[]): number {
  return differences.reduce((sum, { path }) => sum + (NAMES.test(path) ? 100 : 1), 0);
}

const NAMES = /^\$\.params\.(?:name|uri|ref|taskId)\b/;

function put(exchanges: Map<string, RecordedExchange[]>, key: string, exchange: RecordedExchange): void {
  const known = exchanges.get(key);
  if (known === undefined) exchanges.set(key, [exchange]);
  else known.push(exchange);
}
