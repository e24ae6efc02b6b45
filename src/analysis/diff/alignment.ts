/** Keys of the aligned items: equal items have equal keys. */
type KeySequence = ArrayLike<number>;
type IndexPairs = readonly (readonly [number, number])[];

/** The correspondence between the indexes of two sequences. */
export interface Alignment {
  /** For each index of A the matching index of B, ascending; -1 if there is no match. */
  readonly partners: Int32Array;
  /** Pairs whose order differs between the sequences. */
  readonly moved: IndexPairs;
  readonly onlyA: readonly number[];
  readonly onlyB: readonly number[];
}

interface AlignmentRegion {
  readonly startA: number;
  readonly endA: number;
  readonly startB: number;
  readonly endB: number;
  readonly depth: number;
}

/** Regions nested deeper than this are aligned without looking for unique keys, which bounds the time. */
const DEEPEST = 64;

/**
 * Aligns two sequences of keys (a patience diff). Keys that occur once in both sequences are anchors; the regions
 * between anchors are aligned recursively. The time is about that of sorting, even for sequences with little in common.
 */
export function alignKeys(a: KeySequence, b: KeySequence): Alignment {
  const partners = new Int32Array(a.length).fill(-1);
  const regions: AlignmentRegion[] = [{ startA: 0, endA: a.length, startB: 0, endB: b.length, depth: 0 }];
  for (let region = regions.pop(); region !== undefined; region = regions.pop()) {
    const rest = withoutEqualEnds(a, b, region, partners);
    if (rest === undefined) continue;
    const anchors = anchorsIn(a, b, rest);
    for (const [inA, inB] of anchors.pairs) partners[inA] = inB;
    if (anchors.areUnique) for (const inner of regionsBetween(anchors.pairs, rest)) regions.push(inner);
  }
  return withMoved(a, b, partners);
}

/** Pairs the common prefix and suffix of a region; returns the rest, if it is not empty on either side. */
function withoutEqualEnds(
  a: KeySequence,
  b: KeySequence,
  region: AlignmentRegion,
  partners: Int32Array,
): AlignmentRegion | undefined {
  let { startA, endA, startB, endB } = region;
  while (startA < endA && startB < endB && a[startA] === b[startB]) partners[startA++] = startB++;
  while (startA < endA && startB < endB && a[endA - 1] === b[endB - 1]) partners[--endA] = --endB;
  return startA < endA && startB < endB ? { ...region, startA, endA, startB, endB } : undefined;
}

function anchorsIn(
  a: KeySequence,
  b: KeySequence,
  { startA, endA, startB, endB, depth }: AlignmentRegion,
): { readonly pairs: IndexPairs; readonly areUnique: boolean } {
  const inA = placesOf(a, range(startA, endA));
  const inB = placesOf(b, range(startB, endB));
  const unique: [number, number][] = [];
  for (const [key, places] of depth < DEEPEST ? inA : []) {
    const partners = inB.get(key);
    if (places.length === 1 && partners?.length === 1) unique.push([places[0] ?? 0, partners[0] ?? 0]);
  }
  const areUnique = unique.length > 0;
  return { pairs: inRisingOrder(areUnique ? unique : byOccurrence(inA, inB)), areUnique };
}

function* range(start: number, end: number): Generator<number> {
  for (let i = start; i < end; i++) yield i;
}

/** The indexes of each key, among the given indexes. */
function placesOf(keys: KeySequence, among: Iterable<number>): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const place of among) {
    const key = keys[place] ?? 0;
    const known = places.get(key);
    if (known === undefined) places.set(key, [place]);
    else known.push(place);
  }
  return places;
}

/** Pairs the nth occurrence of a key in A with the nth in B. */
function byOccurrence(
  inA: ReadonlyMap<number, readonly number[]>,
  inB: ReadonlyMap<number, readonly number[]>,
): [number, number][] {
  const pairs: [number, number][] = [];
  for (const [key, places] of inA) {
    const partners = inB.get(key) ?? [];
    for (let n = 0; n < Math.min(places.length, partners.length); n++) {
      pairs.push([places[n] ?? 0, partners[n] ?? 0]);
    }
  }
  return pairs.sort(([one], [other]) => one - other);
}

/** The longest subsequence of the pairs (sorted by A) that is also sorted by B. */
function inRisingOrder(pairs: IndexPairs): IndexPairs {
  const rising = longestRise(pairs.map(([, inB]) => inB));
  return rising.flatMap((index) => {
    const pair = pairs[index];
    return pair === undefined ? [] : [pair];
  });
}

function regionsBetween(
  anchors: IndexPairs,
  { startA, endA, startB, endB, depth }: AlignmentRegion,
): AlignmentRegion[] {
  const edges: IndexPairs = [[startA - 1, startB - 1], ...anchors, [endA, endB]];
  return edges.slice(1).map(([nextA, nextB], n) => {
    const [lastA, lastB] = edges[n] ?? [0, 0];
    return { startA: lastA + 1, endA: nextA, startB: lastB + 1, endB: nextB, depth: depth + 1 };
  });
}

/** Pairs unmatched items with equal keys. */
function withMoved(a: KeySequence, b: KeySequence, partners: Int32Array): Alignment {
  const takenA = Uint8Array.from(partners, (partner) => (partner < 0 ? 0 : 1));
  const takenB = new Uint8Array(b.length);
  for (const partner of partners) if (partner >= 0) takenB[partner] = 1;
  const moved = byOccurrence(placesOf(a, untaken(takenA)), placesOf(b, untaken(takenB)));
  for (const [inA, inB] of moved) {
    takenA[inA] = 1;
    takenB[inB] = 1;
  }
  return { partners, moved, onlyA: [...untaken(takenA)], onlyB: [...untaken(takenB)] };
}

function* untaken(taken: Uint8Array): Generator<number> {
  for (let place = 0; place < taken.length; place++) if (taken[place] === 0) yield place;
}

/** The indexes of a longest increasing subsequence, in O(n log n). */
function longestRise(numbers: readonly number[]): number[] {
  // `ends`: for each length, the index of the smallest number that ends such a subsequence. `before`: each index's
  // predecessor.
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, number] of numbers.entries()) {
    const length = firstNotBelow(ends, number, numbers);
    before.push(ends[length - 1]);
    ends[length] = index;
  }
  const rise: number[] = [];
  for (let index = ends.at(-1); index !== undefined; index = before[index]) rise.push(index);
  return rise.reverse();
}

function firstNotBelow(ends: readonly number[], number: number, numbers: readonly number[]): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
