import { writeStep } from '../../json/json-path.ts';
import type { JsonText } from '../../model/entry.ts';
import { readTree, type TreeRules, textOf, type ValueNode } from './value-tree.ts';

/**
 * One difference between two messages. A side is `undefined` if it has no value at the path.
 *
 * @example
 * ```ts
 * import { type Difference, replaySession } from 'mcpreel';
 *
 * const inWords = ({ path, recorded = 'nothing', replayed = 'nothing' }: Difference) =>
 *   `${path}: ${recorded} → ${replayed}`;
 *
 * const { results } = await replaySession('session.json', { command: ['node', 'server.js'] });
 * for (const { differences } of results) for (const difference of differences) console.log(inWords(difference));
 * ```
 */
export interface Difference {
  /**
   * Such as `$.result.content[0].text`. The path continues inside a string that contains JSON. An array index is that
   * of the recorded side.
   */
  readonly path: string;
  readonly recorded: JsonText | undefined;
  readonly replayed: JsonText | undefined;
}

/**
 * Compares the new response to a request with the recorded one; returns all differences in the order of the recorded
 * one. A result instead of an error, or the reverse, is one difference at `$`. Array elements are compared by index. If
 * the lengths differ, the common prefix and suffix are skipped, so that one added element is one difference.
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

/** A pair to compare; one side may be absent. */
interface NodePair {
  readonly path: string;
  readonly a: ValueNode | undefined;
  readonly b: ValueNode | undefined;
}

/** Compares two values; `path` is the prefix of the reported paths. */
export function compareNodes(a: ValueNode, b: ValueNode, path: string, { profile }: TreeRules): Difference[] {
  const found: Difference[] = [];
  // An explicit stack, because peers control the nesting depth.
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

/** The child pairs of two containers of the same kind; `undefined` for other values. */
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

/**
 * Elements with a shape that the other array lacks. The number of elements per shape is ignored, and so is an empty
 * array.
 */
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
