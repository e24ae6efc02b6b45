import { endOfRepetition } from './periodic-text.ts';

const TABLE_BITS = 16;
/** With this factor, no character that is repeated has the hash of an anchor by chance. */
const HASH_FACTOR = 0x7303d91b;
const ANCHOR_LENGTH = 4;
const BYTES = 256;
/** The masks of a word. */
const ROW: number = ANCHOR_LENGTH * BYTES;
/** The number of 32-bit words with a bit of their own in the table. Further words share these bits. */
const TABLE_WORDS = 8;
const OPEN_CLASS = 0x5b;
const HYPHEN = 0x2d;
const QUOTE = 0x22;
/** After so many visits in a piece, it is worth finding out whether the text repeats itself. */
const MANY_VISITS = 64;
/** Farther from an offset, no text matters for whether something is there. */
const REACH = 1024;
/** Texts are searched in pieces of this length. */
const PIECE: number = 1 << 14;

/**
 * What is looked for: four characters, each a literal or a class (`gh[opusr]_`). Those from `\x80` on are bytes of
 * characters that are not ASCII.
 */
export interface Anchored {
  readonly anchors: readonly string[];
  /** The number of characters from its start to the anchor. */
  readonly lead?: number;
}

/** Checks an offset where an item may be. Returning true ends the search. */
type VisitAnchor<Item> = (item: Item, at: number) => boolean;

/**
 * Finds the offsets in a text where one of many items may be. It reads the text as bytes, four at a time, and looks up
 * only every second offset. Any four consecutive characters contain three that start at an even offset, and those are
 * enough to notice an anchor. One regular expression that combines all items takes ten times as long.
 */
export class AnchorIndex<Item extends Anchored> {
  /** Bits of the words that have an anchor with three characters of this hash. Other characters may have the same hash. */
  readonly #table: Uint8Array;
  /** For each word, each of the four characters of an anchor, and each byte: a bit per anchor that allows it. */
  readonly #masks: Int32Array;
  /** The item of each anchor. */
  readonly #items: readonly Item[];
  /** The number of visits in the current piece. */
  #visits = 0;

  /** `base` is an index whose items come first. */
  constructor(items: readonly Item[], base?: AnchorIndex<Item>) {
    const known = base === undefined ? [] : base.#items;
    this.#items = [...known, ...items.flatMap((item) => item.anchors.map(() => item))];
    this.#table = base === undefined ? new Uint8Array(1 << TABLE_BITS) : base.#table.slice();
    this.#masks = new Int32Array(Math.ceil(this.#items.length / 32) * ROW);
    if (base !== undefined) this.#masks.set(base.#masks);
    let index = known.length;
    for (const { anchors } of items) for (const anchor of anchors) this.#add(anchor, index++);
  }

  /**
   * Calls `visit` with each item and the offset where it may start, until `visit` returns true. Returns whether it did.
   * An item is visited once for each of its anchors.
   *
   * `progress` tells how many visits led to anything. If those in a part of the text did not, and the text goes on
   * repeating that part, the repetition is skipped but for its end.
   */
  some(text: string, visit: VisitAnchor<Item>, progress?: () => number): boolean {
    const piece = unused.pop() ?? new TextPiece();
    let found = false;
    for (let at = 0; !found && at + ANCHOR_LENGTH - 1 <= text.length; ) {
      const end = Math.min(text.length, at + PIECE + ANCHOR_LENGTH - 1);
      const before = progress?.();
      piece.encode(text, at, end);
      found = this.#someInPiece(piece, 0, visit);
      const isBusy = this.#visits > MANY_VISITS;
      this.#visits = 0;
      const repeated = isBusy && before !== undefined && before === progress?.() ? endOfRepetition(text, at, end) : 0;
      at = Math.max(at + PIECE, (repeated ?? 0) - REACH);
    }
    unused.push(piece);
    return found;
  }

  /** Like `some`, but for the UTF-8 bytes of a text from `start` to `end`. Offsets are those of bytes. */
  someInBytes(bytes: Uint8Array, start: number, end: number, visit: VisitAnchor<Item>): boolean {
    const piece = unused.pop() ?? new TextPiece();
    let found = false;
    for (let at = start; !found && at + ANCHOR_LENGTH - 1 <= end; at += PIECE) {
      piece.copy(bytes, at, Math.min(end, at + PIECE + ANCHOR_LENGTH - 1), start);
      found = this.#someInPiece(piece, start, visit);
    }
    unused.push(piece);
    return found;
  }

  /** Items start at `first` or later. */
  #someInPiece(piece: TextPiece, first: number, visit: VisitAnchor<Item>): boolean {
    const { bytes, view, end } = piece;
    for (let i = nextHit(this.#table, view, 0, end); i >= 0; i = nextHit(this.#table, view, i + 4, end)) {
      for (let at = Math.max(0, i - 1); at < i + 3 && at + ANCHOR_LENGTH <= end; at++) {
        if (this.#visitAt(view.getInt32(at, true), bytes, at, piece, first, visit)) return true;
      }
    }
    return false;
  }

  /** Visits the items with an anchor at an offset, where these four bytes are. */
  #visitAt(
    four: number,
    bytes: Uint8Array,
    at: number,
    piece: TextPiece,
    first: number,
    visit: VisitAnchor<Item>,
  ): boolean {
    const table = this.#table;
    let bits = (table[hashOf(four & 0xffffff)] as number) & (table[hashOf(four >>> 8)] as number);
    const masks = this.#masks;
    for (; bits !== 0; bits &= bits - 1) {
      let row = (31 - Math.clz32(bits & -bits)) * ROW;
      for (; row < masks.length; row += TABLE_WORDS * ROW) {
        let found =
          (masks[row + (bytes[at] as number)] as number) &
          (masks[row + BYTES + (bytes[at + 1] as number)] as number) &
          (masks[row + 2 * BYTES + (bytes[at + 2] as number)] as number) &
          (masks[row + 3 * BYTES + (bytes[at + 3] as number)] as number);
        for (; found !== 0; found &= found - 1) {
          const item = this.#items[(row / ROW) * 32 + 31 - Math.clz32(found & -found)] as Item;
          const from = piece.offsetOf(at) - (item.lead ?? 0);
          this.#visits++;
          if (from >= first && visit(item, from)) return true;
        }
      }
    }
    return false;
  }

  #add(anchor: string, index: number): void {
    const places = readAnchor(anchor);
    const word = index >> 5;
    const bit = 1 << (index & 31);
    const masks = this.#masks;
    let row = word * ROW;
    for (const allowed of places) {
      for (let i = 0; i < allowed.length; i++) {
        const at = row + (allowed[i] as number);
        masks[at] = (masks[at] as number) | bit;
      }
      row += BYTES;
    }
    const [first, second, third, fourth] = places;
    mark(this.#table, 1 << (word % TABLE_WORDS), first, second, third);
    mark(this.#table, 1 << (word % TABLE_WORDS), second, third, fourth);
  }
}

type Characters = readonly number[];

/** Adds a bit for all three characters in a row of these. It has plain loops, because it runs once, before they are compiled. */
function mark(table: Uint8Array, bit: number, first: Characters, second: Characters, third: Characters): void {
  for (let i = 0; i < first.length; i++) {
    for (let j = 0; j < second.length; j++) {
      const two = (first[i] as number) | ((second[j] as number) << 8);
      for (let k = 0; k < third.length; k++) {
        const hash = Math.imul(two | ((third[k] as number) << 16), HASH_FACTOR) >>> (32 - TABLE_BITS);
        table[hash] = (table[hash] as number) | bit;
      }
    }
  }
}

/**
 * The bytes of a piece of a text, and the offsets of their characters in the whole text. The first ones follow a quote,
 * so that an anchor may begin with the character before an item.
 */
class TextPiece {
  /** A character has at most three bytes. Four more are read after the last ones. */
  readonly bytes: Uint8Array = new Uint8Array(3 * (PIECE + ANCHOR_LENGTH) + 8);
  readonly view: DataView = new DataView(this.bytes.buffer);
  readonly #afterQuote: Uint8Array = this.bytes.subarray(1);
  end = 0;
  #start = 0;
  #isAscii = true;
  /** A byte and its character, from which those of later bytes are counted. */
  #byte = 0;
  #character = 0;

  encode(text: string, start: number, end: number): void {
    const isWhole = start === 0 && end === text.length;
    const { written } = encoder.encodeInto(isWhole ? text : text.slice(start, end), this.#afterQuote);
    this.#begin(start, written, written === end - start);
  }

  copy(bytes: Uint8Array, start: number, end: number, first: number): void {
    this.#afterQuote.set(bytes.subarray(start, end));
    this.#begin(start, end - start, true, first);
  }

  #begin(start: number, length: number, isAscii: boolean, first = 0): void {
    // What begins before a later piece is found in the piece before.
    this.bytes[0] = start === first ? QUOTE : 0;
    this.#start = start - 1;
    this.end = length + 1;
    this.#isAscii = isAscii;
    this.#byte = 0;
    this.#character = 0;
  }

  /** Returns the offset in the whole text of the character at a byte, which must not be before earlier ones. */
  offsetOf(byte: number): number {
    if (this.#isAscii) return this.#start + byte;
    for (; this.#byte < byte; this.#byte++) {
      const c = this.bytes[this.#byte] as number;
      // Each byte but those that continue a character begins one. Four bytes are two characters of a string.
      this.#character += c >= 0xf0 ? 2 : isContinuation(c) ? 0 : 1;
    }
    return this.#start + this.#character - (isContinuation(this.bytes[byte] as number) ? 1 : 0);
  }
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

const encoder = new TextEncoder();
/** A search within `visit` must not change the piece that is being searched. */
const unused: TextPiece[] = [];

/** The hash of three characters, in the three lower bytes of a number. */
function hashOf(three: number): number {
  return Math.imul(three, HASH_FACTOR) >>> (32 - TABLE_BITS);
}

/**
 * Returns the offset of the next four bytes in which three have a hash that is in the table, as they and the byte before
 * or after them do, or -1. This loop is a function of its own: with anything else in it, it is three times slower.
 */
function nextHit(table: Uint8Array, view: DataView, from: number, end: number): number {
  if (from >= end) return -1;
  let four = view.getInt32(from, true);
  for (let i = from; i < end; i += 4) {
    const next = view.getInt32(i + 4, true);
    const even = table[Math.imul(four & 0xffffff, HASH_FACTOR) >>> (32 - TABLE_BITS)] as number;
    const odd = table[Math.imul((four >>> 16) | ((next & 0xff) << 16), HASH_FACTOR) >>> (32 - TABLE_BITS)] as number;
    if ((even | odd) !== 0) {
      const middle = table[hashOf(four >>> 8)] as number;
      const before = i === 0 ? 0 : (table[hashOf(view.getInt32(i - 1, true) & 0xffffff)] as number);
      const after = table[hashOf((four >>> 24) | ((next & 0xffff) << 8))] as number;
      if (((even & (before | middle)) | (odd & (middle | after))) !== 0) return i;
    }
    four = next;
  }
  return -1;
}

type AnchorClasses = readonly [Characters, Characters, Characters, Characters];

/** Returns the characters that each of the four positions of an anchor allows. */
function readAnchor(anchor: string): AnchorClasses {
  const places: number[][] = [];
  for (let i = 0; i < anchor.length; i++) {
    const close = anchor.charCodeAt(i) === OPEN_CLASS ? anchor.indexOf(']', i + 2) : -1;
    if (close < 0) {
      places.push([anchor.charCodeAt(i)]);
    } else {
      places.push(membersOf(anchor, i + 1, close));
      i = close;
    }
  }
  const [first, second, third, fourth] = places;
  if (places.length !== ANCHOR_LENGTH || !first || !second || !third || !fourth) {
    throw new RangeError(`An anchor has four characters: ${anchor}`);
  }
  return [first, second, third, fourth];
}

function membersOf(anchor: string, start: number, end: number): number[] {
  const members: number[] = [];
  for (let i = start; i < end; i++) {
    const low = anchor.charCodeAt(i);
    const isRange = i + 2 < end && anchor.charCodeAt(i + 1) === HYPHEN;
    const high = isRange ? anchor.charCodeAt(i + 2) : low;
    for (let c = low; c <= high; c++) members.push(c);
    if (isRange) i += 2;
  }
  return members;
}
