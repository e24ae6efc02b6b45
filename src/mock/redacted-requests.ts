import { textOf, type ValueNode } from '../analysis/diff/value-tree.ts';
import type { JsonText } from '../model/entry.ts';
import { isRedacted } from '../model/placeholder.ts';
import { PLACEHOLDERS } from '../redact/placeholder.ts';
import { substanceOf } from './match-keys.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

/**
 * Looks up recorded requests with redacted values, whose originals are unknown. Requests are grouped by the places of
 * those values, then by everything else, then by the text around the placeholders, so that the time of a lookup does not
 * depend on the number of requests.
 */
export class RedactedRequests {
  readonly #byPlaces = new Map<string, RequestsWithPlaces>();
  /** One list for the same groups each time: `MockPosition` tracks progress by the identity of a list. */
  readonly #lists = new Map<string, readonly RecordedExchange[]>();
  #groups = 0;

  add(exchange: RecordedExchange): void {
    const tree = substanceOf(exchange.step.text);
    const places = tree === undefined ? [] : redactedPlaces(tree);
    if (tree === undefined || places.length === 0) return;
    const id = JSON.stringify(places.map(({ path }) => path));
    const requests = this.#byPlaces.get(id) ?? new RequestsWithPlaces(places.map(({ path }) => path));
    this.#byPlaces.set(id, requests);
    requests.add(exchange, tree, places, () => this.#groups++);
  }

  /** Returns the recorded requests, in order, that this one may be the original of. */
  find(text: JsonText): readonly RecordedExchange[] | undefined {
    if (this.#byPlaces.size === 0) return undefined;
    const tree = substanceOf(text);
    if (tree === undefined) return undefined;
    const groups = [...this.#byPlaces.values()].flatMap((requests) => requests.groupsFor(tree));
    if (groups.length <= 1) return groups[0]?.exchanges;
    const key = groups.map(({ number }) => number).join();
    const list = this.#lists.get(key) ?? groups.flatMap(({ exchanges }) => exchanges).sort(inRecordedOrder);
    this.#lists.set(key, list);
    return list;
  }
}

type NodePath = readonly (string | number)[];

interface RedactedPlace {
  readonly path: NodePath;
  /** The literal of the string. */
  readonly literal: JsonText;
}

/** The places below a value. A place without any below it is that of a redacted string. */
type PlaceTree = Map<string | number, PlaceTree>;

/** Requests that differ in redacted values only. */
interface RedactedGroup {
  readonly number: number;
  /** The texts around the placeholders, for each place. */
  readonly around: readonly (readonly string[])[];
  readonly exchanges: RecordedExchange[];
}

/** The requests with redacted values at the same places. */
class RequestsWithPlaces {
  readonly #paths: readonly NodePath[];
  readonly #tree: PlaceTree = new Map();
  readonly #byRest = new Map<string, GroupsByText>();

  constructor(paths: readonly NodePath[]) {
    this.#paths = paths;
    for (const path of paths) {
      let places = this.#tree;
      for (const step of path) {
        const next: PlaceTree = places.get(step) ?? new Map();
        places.set(step, next);
        places = next;
      }
    }
  }

  add(exchange: RecordedExchange, tree: ValueNode, places: readonly RedactedPlace[], number: () => number): void {
    const rest = restOf(tree, this.#tree);
    const groups = this.#byRest.get(rest) ?? new GroupsByText();
    this.#byRest.set(rest, groups);
    groups.add(
      exchange,
      places.map(({ literal }) => literal.split(PLACEHOLDERS)),
      number,
    );
  }

  groupsFor(tree: ValueNode): readonly RedactedGroup[] {
    const groups = this.#byRest.get(restOf(tree, this.#tree));
    return groups?.matching(this.#paths.map((path) => literalAt(tree, path))) ?? [];
  }
}

/** So much of the text before and after the placeholders of the first value is used for the lookup. */
const MAX_EDGE = 16;

/** The groups that only differ in the text around placeholders. */
class GroupsByText {
  readonly #groups = new Map<string, RedactedGroup>();
  readonly #byEdges = new Map<string, RedactedGroup[]>();
  /** The lengths of the edges that occur. */
  readonly #edges = new Map<string, readonly [before: number, after: number]>();

  add(exchange: RecordedExchange, around: readonly (readonly string[])[], number: () => number): void {
    const key = JSON.stringify(around);
    const known = this.#groups.get(key);
    if (known !== undefined) {
      known.exchanges.push(exchange);
      return;
    }
    const group = { number: number(), around, exchanges: [exchange] };
    this.#groups.set(key, group);
    const [first = []] = around;
    const lengths = [lengthOf(first[0]), lengthOf(first.at(-1))] as const;
    this.#edges.set(lengths.join(), lengths);
    const edges = edgesOf(first[0] ?? '', first.at(-1) ?? '', lengths);
    const same = this.#byEdges.get(edges);
    if (same === undefined) this.#byEdges.set(edges, [group]);
    else same.push(group);
  }

  matching(values: readonly JsonText[]): RedactedGroup[] {
    const [first = ''] = values;
    return [...this.#edges.values()]
      .flatMap((lengths) => this.#byEdges.get(edgesOf(first, first, lengths)) ?? [])
      .filter(({ around }) => around.every((parts, n) => mayBeOriginal(parts, values[n] ?? '')));
  }
}

function lengthOf(text = ''): number {
  return Math.min(text.length, MAX_EDGE);
}

function edgesOf(start: string, end: string, [before, after]: readonly [number, number]): string {
  return `${start.slice(0, before)}\0${after === 0 ? '' : end.slice(-after)}`;
}

/** Returns whether a literal has these texts in this order, the first at its start and the last at its end. */
function mayBeOriginal(around: readonly string[], literal: JsonText): boolean {
  if (!literal.startsWith('"') || !literal.startsWith(around[0] ?? '') || !literal.endsWith(around.at(-1) ?? '')) {
    return false;
  }
  let at = 0;
  return around.every((part) => {
    const found = literal.indexOf(part, at);
    at = found + part.length;
    return found >= 0;
  });
}

function redactedPlaces(node: ValueNode, path: NodePath = []): RedactedPlace[] {
  const { form, members, elements } = node;
  if (form === 'scalar') {
    const literal = textOf(node);
    return literal.startsWith('"') && isRedacted(literal) ? [{ path, literal }] : [];
  }
  if (!isRedacted(textOf(node))) return [];
  return [
    ...[...members].flatMap(([key, value]) => redactedPlaces(value, [...path, key])),
    ...elements.flatMap((value, index) => redactedPlaces(value, [...path, index])),
  ];
}

/** Describes a value without what is at these places. Values with equal rests have equal descriptions. */
function restOf(node: ValueNode, places: PlaceTree | undefined): string {
  if (places === undefined) return String(node.identity);
  if (places.size === 0) return '?';
  const members = [...node.members].map(([key, value]) => `${JSON.stringify(key)}:${restOf(value, places.get(key))}`);
  const elements = node.elements.map((value, index) => restOf(value, places.get(index)));
  return `${node.form}{${members.sort().join()}}[${elements.join()}]`;
}

function literalAt(tree: ValueNode, path: NodePath): JsonText {
  let node: ValueNode | undefined = tree;
  for (const step of path) node = typeof step === 'string' ? node?.members.get(step) : node?.elements[step];
  return node === undefined ? '' : textOf(node);
}

function inRecordedOrder(a: RecordedExchange, b: RecordedExchange): number {
  return a.step.entry.sequence - b.step.entry.sequence;
}
