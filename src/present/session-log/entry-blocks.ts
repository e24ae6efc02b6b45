import type { Entry } from '../../model/entry.ts';

/** Where the lines of a block are, and what precedes them. */
export interface BlockStart {
  readonly sequence: number;
  readonly line: number;
  /** The time of the entry before, which is that of an entry without one. */
  readonly atMs: number | undefined;
}

/** The lines of a batch of entries in their file: the offset of each, and its number. */
export interface PlacedLines {
  readonly starts: readonly number[];
  readonly lines: readonly number[];
}

/** Bytes that can be read at once. */
export interface ReadableBytes {
  readNow(start: number, end: number): Uint8Array;
}

/** Where the texts of entries are while they are not in memory. */
export interface EntryTexts {
  /** The recording, if its entries are lines of it. */
  readonly file: ReadableBytes | undefined;
  /** Takes the lines of all other entries; returns the offset of the first byte. */
  readonly spool: (ReadableBytes & { append(bytes: Uint8Array): number }) | undefined;
  /** Reads the entries of some lines that `isOfOneLine`. */
  read(bytes: Uint8Array, start: BlockStart): Entry[];
  /** The lines from which `read` reads these entries again. */
  write(entries: readonly Entry[]): string;
  isOfOneLine(entry: Entry): boolean;
}

/** What a list of entries knows of each of them besides its text. */
export interface EntryFixes {
  /** Adds to an entry that was read again what depends on other entries. */
  complete(entry: Entry, index: number, proxyIdAt: (index: number) => string | undefined): Entry;
  /** Stands for an entry that cannot be read again. */
  missing(index: number, atMs: number): Entry;
}

/** A block is read at once, so a row of a list costs about this much reading; each block costs memory, too. */
const MAX_ENTRIES = 512;
const MAX_CHARACTERS = 1 << 19;
/** The memory of an entry besides its text, roughly. */
const ENTRY_BYTES = 400;

interface EntryBlock {
  readonly first: number;
  readonly sequence: number;
  readonly line: number;
  readonly atMs: number | undefined;
  readonly count: number;
  /** How many of its entries are messages. */
  readonly messages: number;
  readonly bytes: number;
  /** The offsets of its lines; unknown until it is spooled. */
  start: number;
  end: number;
  place: 'file' | 'spool' | 'memory';
  /** The lines of messages in a file of another format. */
  readonly sourceLines: Uint32Array | undefined;
}

/**
 * The entries of a session. Those used last are in memory, up to a limit. The others are lines of the recording or of a
 * temporary file, and are read again when they are used.
 */
export class EntryBlocks {
  readonly #fixes: EntryFixes;
  readonly #maxBytes: number;
  readonly #blockEntries: number;
  readonly #blocks: EntryBlock[] = [];
  /** The entries of blocks in memory, those used last at the end. */
  readonly #hot = new Map<number, Entry[]>();
  #hotBytes = 0;
  #lastUsed = -1;
  /** Blocks that must stay in memory. */
  readonly #pinned = new Map<number, readonly Entry[]>();
  /** The block that was read last for the ids of requests. */
  #linesRead: { readonly number: number; readonly entries: readonly Entry[] | undefined } | undefined;
  /** Entries that no single line gives. */
  readonly #kept = new Map<number, Entry>();
  #texts: EntryTexts | undefined;
  /** The block that is being filled. */
  #open: Entry[] = [];
  #openBytes = 0;
  #openFirst = 0;
  #openStart = -1;
  #openLine = 0;
  /** The number of messages so far, or the sequence that the next one should have. */
  #next = 0;
  #openSequence = 0;
  #openMessages = 0;
  #openAtMs: number | undefined;
  #lastMs: number | undefined;
  /** Whether sequences never fall. */
  #isSorted = true;
  #lastStart = -1;

  constructor(fixes: EntryFixes, maxBytes: number, blockEntries: number = MAX_ENTRIES) {
    this.#fixes = fixes;
    this.#maxBytes = maxBytes;
    this.#blockEntries = blockEntries;
  }

  /** Without it, all entries stay in memory. */
  set texts(texts: EntryTexts) {
    this.#texts = texts;
  }

  get length(): number {
    return this.#openFirst + this.#open.length;
  }

  add(entry: Entry, start: number, line: number): void {
    const isFull = this.#open.length >= this.#blockEntries || this.#openBytes >= MAX_CHARACTERS;
    const jumps = entry.kind === 'message' && entry.sequence !== this.#next;
    // A batch on one line stays together.
    if (this.#open.length > 0 && ((isFull && (start < 0 || start !== this.#lastStart)) || jumps)) this.#close(start);
    if (jumps && entry.sequence < this.#next) this.#isSorted = false;
    if (entry.kind === 'message') this.#next = entry.sequence + 1;
    if (this.#open.length === 0) {
      this.#openStart = start;
      this.#openLine = line;
      this.#openAtMs = this.#lastMs;
      this.#openSequence = entry.kind === 'message' ? entry.sequence : this.#next;
    }
    this.#lastStart = start;
    this.#lastMs = entry.atMs;
    if (entry.kind === 'message') this.#openMessages++;
    if (this.#texts?.isOfOneLine(entry) === false) this.#kept.set(this.length, entry);
    this.#open.push(entry);
    this.#openBytes += ENTRY_BYTES + lengthOf(entry);
  }

  at(index: number): Entry | undefined {
    if (index >= this.#openFirst) return this.#open[index - this.#openFirst];
    if (!(index >= 0)) return undefined;
    const number = this.#blockOf(index);
    const block = this.#blocks[number];
    return block && this.#entriesOf(number, block)[index - block.first];
  }

  /** The index of a message, given whether each entry is one. */
  placeOf(sequence: number, isMessage: (index: number) => boolean): number | undefined {
    const open = {
      first: this.#openFirst,
      count: this.#open.length,
      sequence: this.#openSequence,
      messages: this.#openMessages,
    };
    const holds = (one: Pick<EntryBlock, 'sequence' | 'messages'>): boolean =>
      sequence >= one.sequence && sequence < one.sequence + one.messages;
    const block = holds(open) ? open : this.#closedWith(sequence, holds);
    if (block === undefined) return undefined;
    let left = sequence - block.sequence;
    if (block.messages === block.count) return block.first + left;
    for (let index = block.first; index < block.first + block.count; index++) {
      if (isMessage(index) && left-- === 0) return index;
    }
    return undefined;
  }

  #closedWith(sequence: number, holds: (block: EntryBlock) => boolean): EntryBlock | undefined {
    if (!this.#isSorted) return this.#blocks.findLast(holds);
    const block = this.#blocks[lastAtMost(this.#blocks, sequence, (one) => one.sequence)];
    return block !== undefined && holds(block) ? block : undefined;
  }

  /** The sequence of the message at an index, given whether each entry is one. */
  sequenceAt(index: number, isMessage: (index: number) => boolean): number {
    const { first, sequence } = this.#blocks[this.#blockOf(index)] ?? {
      first: this.#openFirst,
      sequence: this.#openSequence,
    };
    let before = 0;
    for (let place = first; place < index; place++) if (isMessage(place)) before++;
    return sequence + before;
  }

  *[Symbol.iterator](): Generator<Entry> {
    for (let index = 0; index < this.length; index++) {
      const entry = this.at(index);
      if (entry !== undefined) yield entry;
    }
  }

  slice(from: number, to: number = this.length): Entry[] {
    const entries: Entry[] = [];
    for (let index = Math.max(0, from); index < Math.min(to, this.length); index++) {
      const entry = this.at(index);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  #close(nextStart: number): void {
    const isPlaced = this.#openStart >= 0 && nextStart >= 0 && this.#texts?.file !== undefined;
    const block: EntryBlock = {
      first: this.#openFirst,
      sequence: this.#openSequence,
      line: this.#openLine,
      atMs: this.#openAtMs,
      count: this.#open.length,
      messages: this.#openMessages,
      bytes: this.#openBytes,
      start: this.#openStart,
      end: nextStart,
      place: isPlaced ? 'file' : 'memory',
      sourceLines: isPlaced ? undefined : sourceLinesOf(this.#open),
    };
    const number = this.#blocks.push(block) - 1;
    // Entries that would be forgotten soon are forgotten at once, while they are cheap to collect.
    if (isPlaced && this.#hotBytes + block.bytes > this.#maxBytes) emptied(this.#open);
    else this.#keep(number, this.#open, block.bytes);
    this.#openFirst += block.count;
    this.#open = [];
    this.#openBytes = 0;
    this.#openMessages = 0;
  }

  #keep(number: number, entries: Entry[], bytes: number): void {
    this.#hot.set(number, entries);
    this.#lastUsed = number;
    this.#hotBytes += bytes;
    if (this.#hotBytes > this.#maxBytes && this.#texts !== undefined) this.#forget();
  }

  /** Forgets the blocks that were not used for longest. One that could not be read again stays in memory. */
  #forget(): void {
    for (const [number, entries] of this.#hot) {
      if (this.#hotBytes <= this.#maxBytes || this.#hot.size <= 1) return;
      const block = this.#blocks[number];
      if (block === undefined || number === this.#lastUsed) continue;
      if (block.place === 'memory' && !this.#spool(block, entries)) this.#pinned.set(number, entries);
      else emptied(entries);
      this.#hot.delete(number);
      this.#hotBytes -= block.bytes;
    }
  }

  /** Writes a block to the temporary file. Returns false if that fails, or if reading it would not give the same. */
  #spool(block: EntryBlock, entries: readonly Entry[]): boolean {
    const { spool, write } = this.#texts ?? {};
    if (spool === undefined || write === undefined) return false;
    const bytes = new TextEncoder().encode(write(entries));
    if (contentOf(this.#restored(block, bytes)) !== contentOf(entries)) return false;
    try {
      block.start = spool.append(bytes);
    } catch {
      return false;
    }
    block.end = block.start + bytes.length;
    block.place = 'spool';
    return true;
  }

  #entriesOf(number: number, block: EntryBlock): readonly Entry[] {
    const pinned = this.#pinned.get(number);
    if (pinned !== undefined) return pinned;
    const hot = this.#hot.get(number);
    if (hot === undefined) {
      const entries = this.#restored(block, this.#bytesOf(block));
      this.#keep(number, entries, block.bytes);
      return entries;
    }
    if (number !== this.#lastUsed) {
      this.#hot.delete(number);
      this.#hot.set(number, hot);
      this.#lastUsed = number;
    }
    return hot;
  }

  #bytesOf({ place, start, end }: EntryBlock): Uint8Array | undefined {
    try {
      return (place === 'file' ? this.#texts?.file : this.#texts?.spool)?.readNow(start, end);
    } catch {
      // The file is gone, or was changed.
      return undefined;
    }
  }

  #restored(block: EntryBlock, bytes: Uint8Array | undefined): Entry[] {
    const { first, count, sourceLines } = block;
    const read = this.#readBlock(block, bytes);
    const entries: Entry[] = [];
    let next = 0;
    for (let index = first; index < first + count; index++) {
      const kept = this.#kept.get(index);
      const entry = kept ?? read?.[next++];
      if (entry === undefined) entries.push(this.#fixes.missing(index, block.atMs ?? 0));
      else if (kept !== undefined) entries.push(kept);
      else entries.push(this.#fixes.complete(entry, index, (other) => this.#proxyIdAt(other, block, read)));
      const last = entries.at(-1);
      const line = sourceLines?.[index - first];
      if (last?.kind === 'message' && sourceLines !== undefined && kept === undefined) {
        entries[entries.length - 1] = { ...last, sourceLine: line === 0 ? undefined : line };
      }
    }
    return entries;
  }

  /** The entries of a block's lines as they are, unless they are not those that were read before. */
  #readBlock({ first, count, sequence, line, atMs }: EntryBlock, bytes: Uint8Array | undefined): Entry[] | undefined {
    const read = bytes === undefined ? undefined : this.#texts?.read(bytes, { sequence, line, atMs });
    let expected = count;
    for (let index = first; index < first + count; index++) if (this.#kept.has(index)) expected--;
    return read?.length === expected ? read : undefined;
  }

  /** Looks only at the lines as they are: the request of a response does not depend on further ones. */
  #proxyIdAt(index: number, from: EntryBlock, read: readonly Entry[] | undefined): string | undefined {
    if (index >= this.#openFirst) return proxyIdOf(this.#open[index - this.#openFirst]);
    const number = this.#blockOf(index);
    const block = this.#blocks[number];
    if (block === undefined) return undefined;
    const known = this.#pinned.get(number) ?? this.#hot.get(number);
    if (known !== undefined) return proxyIdOf(known[index - block.first]);
    if (block !== from && this.#linesRead?.number !== number) {
      this.#linesRead = { number, entries: this.#readBlock(block, this.#bytesOf(block)) };
    }
    const lines = block === from ? read : this.#linesRead?.entries;
    let place = 0;
    for (let before = block.first; before < index; before++) if (!this.#kept.has(before)) place++;
    return proxyIdOf(lines?.[place]);
  }

  #blockOf(index: number): number {
    const last = this.#blocks[this.#lastUsed];
    if (last !== undefined && index >= last.first && index < last.first + last.count) return this.#lastUsed;
    return lastAtMost(this.#blocks, index, ({ first }) => first);
  }
}

/** An old array keeps what it holds alive until the next full collection, even if nothing refers to the array. */
function emptied(entries: (Entry | undefined)[]): void {
  entries.fill(undefined);
}

function proxyIdOf(entry: Entry | undefined): string | undefined {
  return entry?.kind === 'message' ? entry.proxyId : undefined;
}

/** The last block for which a number that never falls is at most `value`. */
function lastAtMost(blocks: readonly EntryBlock[], value: number, of: (block: EntryBlock) => number): number {
  let low = -1;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const block = blocks[middle];
    if (block !== undefined && of(block) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

function lengthOf(entry: Entry): number {
  if (entry.kind === 'event') return entry.raw.length;
  return entry.kind === 'message' ? entry.text.length + (entry.original?.length ?? 0) : entry.text.length;
}

function sourceLinesOf(entries: readonly Entry[]): Uint32Array {
  return Uint32Array.from(entries, (entry) => (entry.kind === 'message' ? (entry.sourceLine ?? 0) : 0));
}

/** All of the entries that must survive: an envelope and a body only repeat what the text says. */
function contentOf(entries: readonly Entry[]): string {
  return JSON.stringify(
    entries.map((entry) => {
      if (entry.kind !== 'message') return entry;
      const { envelope: _envelope, body: _body, ...message } = entry;
      return Object.fromEntries(Object.entries(message).sort(([a], [b]) => (a < b ? -1 : 1)));
    }),
  );
}
