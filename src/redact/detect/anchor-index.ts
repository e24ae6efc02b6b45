const TABLE_SIZE = 1 << 16;
const ANCHOR_LENGTH = 4;

/** What is looked for: four characters, each a literal or a class (`gh[opusr]_`). */
export interface Anchored {
  readonly anchors: readonly string[];
  /** The number of characters from its start to the anchor. */
  readonly lead?: number;
}

/** What to try, and the distance from its start to the three characters that triggered it. */
interface AnchorProbe<Item> {
  readonly item: Item;
  readonly back: number;
}

/** Checks an offset where an item may be. Returning true ends the search. */
type VisitAnchor<Item> = (item: Item, at: number) => boolean;

/**
 * Finds the offsets in a text where one of many items may be. It reads every character once but looks up only every
 * second offset. Any four consecutive characters contain three that start at an even offset, and those are enough to
 * find an anchor. One regular expression that combines all items takes ten times as long.
 */
export class AnchorIndex<Item extends Anchored> {
  /** 1 for the hash of three characters of an anchor. Other characters may have the same hash. */
  readonly #table = new Uint8Array(TABLE_SIZE);
  readonly #probes = new Map<number, AnchorProbe<Item>[]>();

  constructor(items: readonly Item[]) {
    for (const item of items) {
      for (const anchor of item.anchors) {
        const [first, second, third, fourth] = readAnchor(anchor);
        this.#add(item, 0, first, second, third);
        this.#add(item, 1, second, third, fourth);
      }
    }
  }

  /**
   * Calls `visit` with each item and the offset where it may start, until `visit` returns true. Returns whether it did.
   * An item may be visited twice at the same offset.
   */
  some(text: string, visit: VisitAnchor<Item>): boolean {
    const table = this.#table;
    const last = text.length - 2;
    if (last <= 0) return false;
    let a = text.charCodeAt(0);
    for (let i = 0; i < last; i += 2) {
      const b = text.charCodeAt(i + 1);
      const c = text.charCodeAt(i + 2);
      if (table[((a << 9) ^ (b << 4) ^ c) & (TABLE_SIZE - 1)] === 1 && (a | b | c) < 0x80) {
        // A separate method: a closure over the loop's variables would make the loop three times slower.
        if (this.#visitAt(i, exactKey(a, b, c), visit)) return true;
      }
      a = c;
    }
    return false;
  }

  /** Like `some`, but for the UTF-8 bytes of a text from `start` to `end`, which are read twice as fast. */
  someInBytes(bytes: Uint8Array, start: number, end: number, visit: VisitAnchor<Item>): boolean {
    const table = this.#table;
    const last = end - 2;
    if (last <= start) return false;
    let a = bytes[start] as number;
    for (let i = start; i < last; i += 2) {
      const b = bytes[i + 1] as number;
      const c = bytes[i + 2] as number;
      if (table[((a << 9) ^ (b << 4) ^ c) & (TABLE_SIZE - 1)] === 1 && (a | b | c) < 0x80) {
        if (this.#visitAt(i, exactKey(a, b, c), visit)) return true;
      }
      a = c;
    }
    return false;
  }

  #visitAt(at: number, key: number, visit: VisitAnchor<Item>): boolean {
    for (const { item, back } of this.#probes.get(key) ?? []) {
      if (at >= back && visit(item, at - back)) return true;
    }
    return false;
  }

  #add(item: Item, offset: number, first: string, second: string, third: string): void {
    const probe = { item, back: offset + (item.lead ?? 0) };
    for (const x of first) {
      for (const y of second) {
        for (const z of third) this.#addAt(x.charCodeAt(0), y.charCodeAt(0), z.charCodeAt(0), probe);
      }
    }
  }

  #addAt(a: number, b: number, c: number, probe: AnchorProbe<Item>): void {
    this.#table[((a << 9) ^ (b << 4) ^ c) & (TABLE_SIZE - 1)] = 1;
    const probes = this.#probes.get(exactKey(a, b, c));
    if (probes === undefined) this.#probes.set(exactKey(a, b, c), [probe]);
    else if (!probes.some((known) => known.item === probe.item && known.back === probe.back)) probes.push(probe);
  }
}

function exactKey(a: number, b: number, c: number): number {
  return (a << 14) | (b << 7) | c;
}

/** Returns the characters that each of the four positions of an anchor allows. */
function readAnchor(anchor: string): [string, string, string, string] {
  const places = [...anchor.matchAll(/\[([^\]]+)\]|(.)/g)].map(([, set, one]) => (set ? membersOf(set) : (one ?? '')));
  const [first, second, third, fourth] = places;
  if (places.length !== ANCHOR_LENGTH || !first || !second || !third || !fourth) {
    throw new RangeError(`An anchor has four characters: ${anchor}`);
  }
  return [first, second, third, fourth];
}

function membersOf(set: string): string {
  return set.replaceAll(/(.)-(.)/g, (_, from: string, to: string) => {
    const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)];
    return String.fromCharCode(...Array.from({ length: high - low + 1 }, (_none, i) => low + i));
  });
}
