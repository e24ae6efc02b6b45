import type { Detector } from './detector.ts';

const TABLE_SIZE = 1 << 16;
const ANCHOR_LENGTH = 4;

/** Longer texts are scanned as strings. */
const MAX_BYTES = 1 << 14;
const bytes = new Uint8Array(MAX_BYTES);
const encoder = new TextEncoder();

/** A detector, and the distance from its pattern's start to the three characters that triggered it. */
interface AnchorProbe {
  readonly detector: Detector;
  readonly back: number;
}

/** Checks an offset where a detector may match. Returning true ends the search. */
type VisitAnchor = (detector: Detector, at: number, text: string) => boolean;

/**
 * Finds the offsets in a text where a detector may match. It reads every character once but looks up only every second
 * offset. Any four consecutive characters contain three that start at an even offset, and those are enough to find an
 * anchor. One regular expression that combines all detectors takes ten times as long.
 */
export class AnchorIndex {
  /** 1 for the hash of three characters of an anchor. Other characters may have the same hash. */
  readonly #table = new Uint8Array(TABLE_SIZE);
  readonly #probes = new Map<number, AnchorProbe[]>();

  constructor(detectors: readonly Detector[]) {
    for (const detector of detectors) {
      for (const anchor of detector.anchors) {
        const [first, second, third, fourth] = readAnchor(anchor);
        this.#add(detector, 0, first, second, third);
        this.#add(detector, 1, second, third, fourth);
      }
    }
  }

  /**
   * Calls `visit` with each detector and the offset where its pattern may match, until `visit` returns true. Returns
   * whether it did.
   */
  some(text: string, visit: VisitAnchor): boolean {
    const table = this.#table;
    const last = text.length - 2;
    if (last <= 0) return false;
    let a = text.charCodeAt(0);
    for (let i = 0; i < last; i += 2) {
      const b = text.charCodeAt(i + 1);
      const c = text.charCodeAt(i + 2);
      if (table[((a << 9) ^ (b << 4) ^ c) & (TABLE_SIZE - 1)] === 1 && (a | b | c) < 0x80) {
        // A separate method: a closure over the loop's variables would make the loop three times slower.
        if (this.#visitAt(text, i, exactKey(a, b, c), visit)) return true;
      }
      a = c;
    }
    return false;
  }

  /**
   * Like `some`, but twice as fast for ASCII text, because bytes are read faster than characters. `visit` must not call
   * this method, because there is only one byte buffer.
   */
  someQuickly(text: string, visit: VisitAnchor): boolean {
    if (text.length > MAX_BYTES) return this.some(text, visit);
    const { read, written } = encoder.encodeInto(text, bytes);
    return read === text.length && written === read ? this.#someOfBytes(text, visit) : this.some(text, visit);
  }

  #someOfBytes(text: string, visit: VisitAnchor): boolean {
    const table = this.#table;
    const last = text.length - 2;
    let a = bytes[0] ?? 0;
    for (let i = 0; i < last; i += 2) {
      const b = bytes[i + 1] as number;
      const c = bytes[i + 2] as number;
      if (table[((a << 9) ^ (b << 4) ^ c) & (TABLE_SIZE - 1)] === 1) {
        if (this.#visitAt(text, i, exactKey(a, b, c), visit)) return true;
      }
      a = c;
    }
    return false;
  }

  #visitAt(text: string, at: number, key: number, visit: VisitAnchor): boolean {
    for (const { detector, back } of this.#probes.get(key) ?? []) {
      if (at >= back && visit(detector, at - back, text)) return true;
    }
    return false;
  }

  #add(detector: Detector, offset: number, first: string, second: string, third: string): void {
    const probe = { detector, back: offset + (detector.lead ?? 0) };
    for (const x of first) {
      for (const y of second) {
        for (const z of third) this.#addAt(x.charCodeAt(0), y.charCodeAt(0), z.charCodeAt(0), probe);
      }
    }
  }

  #addAt(a: number, b: number, c: number, probe: AnchorProbe): void {
    this.#table[((a << 9) ^ (b << 4) ^ c) & (TABLE_SIZE - 1)] = 1;
    const probes = this.#probes.get(exactKey(a, b, c));
    if (probes === undefined) this.#probes.set(exactKey(a, b, c), [probe]);
    else if (!probes.some((known) => known.detector === probe.detector && known.back === probe.back))
      probes.push(probe);
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
