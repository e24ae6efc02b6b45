import { compareNodes, type Difference } from '../analysis/diff/compare-answers.ts';
import type { JsonText } from '../model/entry.ts';
import { isRedacted } from '../model/placeholder.ts';
import { PLACEHOLDERS } from '../redact/placeholder.ts';
import { keyOf, type MatchLevel, substanceOf, TIERS, type MatchTier } from './match-keys.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

/** Recorded requests that a request can be taken for, in their order, and how alike they are. */
export interface FoundExchange {
  readonly tier: MatchTier;
  readonly scenes: readonly RecordedExchange[];
  /** The same and those that differ in volatile metadata alone. */
  wider(): readonly RecordedExchange[];
}

/** The recorded request that comes nearest to one that was not recorded, and where they differ. */
export interface NearestExchange {
  readonly scene: RecordedExchange;
  readonly differences: readonly Difference[];
}

/** Of so many recorded requests of one method, the latest, the nearest is looked for. */
const MAX_COMPARED = 500;

/** Finds recorded requests by what is asked. */
export class MockExchangeIndex {
  readonly #tiers: readonly MatchTier[];
  readonly #byKey = new Map<MatchTier, Map<string, RecordedExchange[]>>();
  readonly #byMethod = new Map<string, RecordedExchange[]>();
  readonly #notices = new Map<string, RecordedExchange[]>();
  /** Requests of which something was redacted, by their methods: what was said instead of the placeholders is not known. */
  readonly #redacted = new Map<string, RecordedExchange[]>();
  readonly #hidden = new Map<string, readonly RecordedExchange[]>();

  constructor(scenes: readonly RecordedExchange[], level: MatchLevel) {
    this.#tiers = TIERS[level];
    for (const tier of this.#tiers) this.#byKey.set(tier, new Map());
    for (const scene of scenes) this.#add(scene);
  }

  find(text: JsonText, method: string): FoundExchange | undefined {
    for (const tier of this.#tiers) {
      const scenes = this.#lookUp(text, method, tier);
      if (scenes !== undefined) return { tier, scenes, wider: () => this.#lookUp(text, method, 'same') ?? scenes };
    }
    return this.#findRedacted(text, method);
  }

  /** Notifications of the client after which the server said something. */
  notices(method: string): readonly RecordedExchange[] {
    return this.#notices.get(method) ?? [];
  }

  /** Whether any request of this method was recorded. */
  knows(method: string): boolean {
    return this.#byMethod.has(method);
  }

  nearest(text: JsonText, method: string): NearestExchange | undefined {
    const known = this.#byMethod.get(method)?.slice(-MAX_COMPARED) ?? [];
    let nearest: NearestExchange | undefined;
    for (const scene of known) {
      const differences = differencesOf(scene, text);
      if (nearest === undefined || weight(differences) < weight(nearest.differences)) nearest = { scene, differences };
    }
    return nearest;
  }

  #lookUp(text: JsonText, method: string, tier: MatchTier): readonly RecordedExchange[] | undefined {
    const byKey = this.#byKey.get(tier);
    const key = byKey && keyOf(text, method, tier);
    return key === undefined ? undefined : byKey?.get(key);
  }

  #add(scene: RecordedExchange): void {
    const { method, isRequest, step } = scene;
    if (!isRequest) {
      put(this.#notices, method, scene);
      return;
    }
    put(this.#byMethod, method, scene);
    if (isRedacted(step.text)) put(this.#redacted, method, scene);
    for (const [tier, byKey] of this.#byKey) {
      const key = keyOf(step.text, method, tier);
      if (key !== undefined) put(byKey, key, scene);
    }
  }

  #findRedacted(text: JsonText, method: string): FoundExchange | undefined {
    const scenes = this.#redacted
      .get(method)
      ?.filter((scene) => differencesOf(scene, text).every(({ recorded, replayed }) => isHidden(recorded, replayed)));
    if (scenes === undefined || scenes.length === 0) return undefined;
    // One list for the same scenes, by which whoever takes from it knows how far it is.
    const key = scenes.map(({ step }) => step.entry.sequence).join();
    const known = this.#hidden.get(key) ?? scenes;
    this.#hidden.set(key, known);
    return { tier: 'same', scenes: known, wider: () => known };
  }
}

/** Where a request differs from a recorded one. */
export function differencesOf({ step }: RecordedExchange, text: JsonText): Difference[] {
  const [recorded, asked] = [substanceOf(step.text), substanceOf(text)];
  if (recorded === undefined || asked === undefined) return [{ path: '$', recorded: step.text, replayed: text }];
  return compareNodes(recorded, asked, '$', { profile: 'strict' });
}

/** Whether a text could be what a text with placeholders was made of. */
function isHidden(recorded: JsonText | undefined, asked: JsonText | undefined): boolean {
  if (recorded === undefined || asked === undefined || !recorded.startsWith('"')) return false;
  const parts = recorded.split(PLACEHOLDERS);
  const last = parts.at(-1) ?? '';
  if (parts.length < 2 || !asked.startsWith(parts[0] ?? '') || !asked.endsWith(last)) return false;
  let at = 0;
  return parts.every((part) => {
    const found = asked.indexOf(part, at);
    at = found + part.length;
    return found >= 0;
  });
}

/** Another tool is further away than another argument. */
function weight(differences: readonly Difference[]): number {
  return differences.reduce((sum, { path }) => sum + (NAMES.test(path) ? 100 : 1), 0);
}

const NAMES = /^\$\.params\.(?:name|uri|ref|taskId)\b/;

function put(scenes: Map<string, RecordedExchange[]>, key: string, scene: RecordedExchange): void {
  const known = scenes.get(key);
  if (known === undefined) scenes.set(key, [scene]);
  else known.push(scene);
}
