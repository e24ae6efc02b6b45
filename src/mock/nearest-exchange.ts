import { compareNodes, type Difference } from '../analysis/diff/compare-answers.ts';
import type { ValueNode } from '../analysis/diff/value-tree.ts';
import type { JsonText } from '../model/entry.ts';
import { nameIn, substanceOf } from './match-keys.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

/** The recorded exchange closest to a request without a match, and where the two differ. */
export interface NearestExchange {
  readonly exchange: RecordedExchange;
  readonly differences: readonly Difference[];
}

/** A request is compared with this many of the latest requests for the same name, or else of the same method. */
const MAX_LATEST = 3;
/** It is also compared with requests that have this many of its arguments. */
const MAX_ARGUMENTS = 4;

/**
 * Finds the recorded request that is closest to another one. It compares a few: the latest for the same tool, prompt or
 * resource, and the latest with the same value of each argument. An explanation must not cost more than a few answers.
 */
export class NearestExchanges {
  readonly #latest = new Map<string, RecordedExchange[]>();
  readonly #byArgument = new Map<string, RecordedExchange>();

  add(exchange: RecordedExchange): void {
    const params = substanceOf(exchange.step.text)?.members.get('params');
    const name = nameIn(params);
    this.#addLatest(exchange.method, exchange);
    this.#addLatest(`${exchange.method} ${name}`, exchange);
    for (const key of argumentKeys(exchange.method, name, params)) this.#byArgument.set(key, exchange);
  }

  find(text: JsonText, method: string): NearestExchange | undefined {
    const requested = substanceOf(text);
    const params = requested?.members.get('params');
    const name = nameIn(params);
    const alike = argumentKeys(method, name, params).flatMap((key) => this.#byArgument.get(key) ?? []);
    const latest = this.#latest.get(`${method} ${name}`) ?? this.#latest.get(method) ?? [];
    let nearest: NearestExchange | undefined;
    for (const exchange of new Set([...alike, ...latest])) {
      const differences = differencesBetween(exchange, requested, text);
      if (nearest === undefined || weight(differences) < weight(nearest.differences)) {
        nearest = { exchange, differences };
      }
    }
    return nearest;
  }

  #addLatest(key: string, exchange: RecordedExchange): void {
    const latest = this.#latest.get(key) ?? [];
    this.#latest.set(key, latest);
    latest.push(exchange);
    if (latest.length > MAX_LATEST) latest.shift();
  }
}

export function differencesOf(exchange: RecordedExchange, text: JsonText): Difference[] {
  return differencesBetween(exchange, substanceOf(text), text);
}

function differencesBetween(
  { step }: RecordedExchange,
  requested: ValueNode | undefined,
  text: JsonText,
): Difference[] {
  const recorded = substanceOf(step.text);
  if (recorded === undefined || requested === undefined) return [{ path: '$', recorded: step.text, replayed: text }];
  return compareNodes(recorded, requested, '$', { profile: 'strict' });
}

function argumentKeys(method: string, name: string, params: ValueNode | undefined): string[] {
  const given = params?.members.get('arguments') ?? params;
  return [...(given?.members ?? [])]
    .slice(0, MAX_ARGUMENTS)
    .map(([key, { identity }]) => `${method} ${name} ${key} ${identity}`);
}

/** A different tool, prompt or resource counts 100 times as much as a different argument. */
function weight(differences: readonly Difference[]): number {
  return differences.reduce((sum, { path }) => sum + (NAMES.test(path) ? 100 : 1), 0);
}

const NAMES = /^\$\.params\.(?:name|uri|ref|taskId)\b/;
