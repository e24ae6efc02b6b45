import { writeStep } from '../../json/json-path.ts';
import type { JsonText } from '../../model/entry.ts';
import { readTree, type TreeRules, textOf, type ValueNode } from './value-tree.ts';

/** One place at which two messages differ. A side is `undefined` where it has nothing there. */
export interface Difference {
  /** `$.result.content[0].text`; it goes on within a text that holds JSON. Of an element it is the place on the recorded side. */
  readonly path: string;
  readonly recorded: JsonText | undefined;
  readonly replayed: JsonText | undefined;
}

/**
 * How the answer that a request got now differs from the one that was recorded: every place at which they do, in the order
 * of the recorded one. A result where there was an error, or the other way round, is one difference of the whole message,
 * at `$`. Elements of lists are compared by their places; where one list is longer, what both begin and end with alike is
 * left alone, so that one element more is one difference.
 */
export function compareAnswers(recorded: JsonText, live: JsonText, rules: TreeRules): Difference[] {
  if (recorded === live) return [];
  const [a, b] = [readTree(recorded, rules), readTree(live, rules)];
  if (a === undefined || b === undefined) return [{ path: '$', recorded, replayed: live }];
  if (isError(a) !== isError(b)) return [{ path: '$', recorded, replayed: live }];
  return compareNodes(a, b, '$', rules);
}

function isError({ members }: ValueNode): boolean {
  return members.has('error') && !members.has('result');
}

/** A pair that is to be compared, or that is one-sided. */
interface NodePair {
  readonly path: string;
  readonly a: ValueNode | undefined;
  readonly b: ValueNode | undefined;
}

/** The same for two values, whose paths begin with this one. */
export function compareNodes(a: ValueNode, b: ValueNode, path: string, { profile }: TreeRules): Difference[] {
  const found: Difference[] = [];
  // A stack of our own: how deep values are nested is for the peers to say.
  const waiting: NodePair[] = [{ path, a, b }];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    if (pair.a?.identity === pair.b?.identity) continue;
    const inner = pair.a && pair.b && childPairs(pair.a, pair.b, pair.path, profile === 'shape');
    if (inner !== undefined) for (const child of inner.reverse()) waiting.push(child);
    else {
      const [recorded, replayed] = [pair.a && textOf(pair.a), pair.b && textOf(pair.b)];
      found.push({ path: pair.path, recorded, replayed });
    }
  }
  return found;
}

/** What two containers of one kind hold, side by side; `undefined` for other values. */
function childPairs(a: ValueNode, b: ValueNode, path: string, isShape: boolean): NodePair[] | undefined {
  if (a.form !== b.form || a.isText !== b.isText || a.form === 'scalar') return undefined;
  if (a.form === 'object') return memberPairs(a, b, path);
  return isShape ? unlikePairs(a.elements, b.elements, path) : elementPairs(a.elements, b.elements, path);
}

function memberPairs(a: ValueNode, b: ValueNode, path: string): NodePair[] {
  const keys = new Set([...a.members.keys(), ...b.members.keys()]);
  return [...keys].map((key) => ({ path: path + writeStep(key), a: a.members.get(key), b: b.members.get(key) }));
}

function elementPairs(a: readonly ValueNode[], b: readonly ValueNode[], path: string): NodePair[] {
  const shorter = Math.min(a.length, b.length);
  let first = 0;
  let alike = 0;
  if (a.length !== b.length) {
    while (first < shorter && a[first]?.identity === b[first]?.identity) first++;
    while (alike < shorter - first && a.at(-1 - alike)?.identity === b.at(-1 - alike)?.identity) alike++;
  }
  const pairs: NodePair[] = [];
  for (let i = first; i < Math.max(a.length, b.length) - alike; i++) {
    const inA = i < a.length - alike ? a[i] : undefined;
    const inB = i < b.length - alike ? b[i] : undefined;
    pairs.push({ path: path + writeStep(i), a: inA, b: inB });
  }
  return pairs;
}

/** Elements of a shape that the other list has not. How many there are of each says nothing, and an empty list nothing at all. */
function unlikePairs(a: readonly ValueNode[], b: readonly ValueNode[], path: string): NodePair[] {
  if (a.length === 0 || b.length === 0) return [];
  const onlyA = unlike(a, b);
  const onlyB = unlike(b, a);
  return Array.from({ length: Math.max(onlyA.length, onlyB.length) }, (_, n) => {
    const [inA, inB] = [onlyA[n], onlyB[n]];
    return { path: path + writeStep(inA?.index ?? inB?.index ?? 0), a: inA?.node, b: inB?.node };
  });
}

function unlike(own: readonly ValueNode[], others: readonly ValueNode[]): { index: number; node: ValueNode }[] {
  const known = new Set(others.map(({ identity }) => identity));
  return own.flatMap((node, index) => {
    if (known.has(node.identity)) return [];
    known.add(node.identity);
    return [{ index, node }];
  });
}
