/** The largest window that an HTTP body may need (RFC 9659, 3.1). */
const MAX_WINDOW = 8 << 20;

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;

/** The longest header of a frame: magic number, descriptor, window, dictionary id and content size. */
const MAX_HEADER = 18;
const BLOCK_HEADER = 3;

/** Blocks and frames to decode at a time. A block may have 128 KiB. */
const MAX_PARTS = 16;

/**
 * Follows the frames of a zstd stream (RFC 8878, 3.1) without decoding them, and throws if one needs a large window. The
 * decoder would allocate it at once, so a few bytes could claim gigabytes.
 */
export class ZstdFrames {
  #header = Buffer.alloc(0);
  #next: 'frame' | 'block' = 'frame';
  #skip = 0;
  #hasChecksum = false;
  #parts = 0;

  /** Cuts a chunk into slices with little work each, because a few bytes may be a block that takes long to decode. */
  *slices(chunk: Uint8Array): Generator<Uint8Array> {
    let from = 0;
    let at = 0;
    while (at < chunk.length) {
      at = this.#advance(chunk, at);
      if (this.#parts < MAX_PARTS) continue;
      this.#parts = 0;
      yield chunk.subarray(from, at);
      from = at;
    }
    if (from < chunk.length) yield chunk.subarray(from);
  }

  /** Whether the chunks so far end with a frame. */
  get isComplete(): boolean {
    return this.#next === 'frame' && this.#skip === 0 && this.#header.length === 0;
  }

  /** Returns where frames end in a chunk. */
  endsIn(chunk: Uint8Array): number[] {
    const ends: number[] = [];
    let at = 0;
    while (at < chunk.length) {
      at = this.#advance(chunk, at);
      if (this.isComplete) ends.push(at);
    }
    return ends;
  }

  /** Skips the content of a block, or takes a byte of a header. Returns where the rest of the chunk begins. */
  #advance(chunk: Uint8Array, at: number): number {
    const skipped = Math.min(this.#skip, chunk.length - at);
    this.#skip -= skipped;
    if (skipped > 0) return at + skipped;
    this.#header = Buffer.concat([this.#header, chunk.subarray(at, at + 1)]);
    if (this.#next === 'frame') this.#takeFrame(this.#header);
    else if (this.#header.length === BLOCK_HEADER) this.#takeBlock(this.#header);
    return at + 1;
  }

  #takeFrame(header: Buffer): void {
    if (header.length < 5) return;
    const magic = header.readUInt32LE(0);
    if ((magic & ~0xf) >>> 0 === SKIPPABLE) {
      if (header.length === 8) this.#enter('frame', header.readUInt32LE(4));
      return;
    }
    // The decoder reports that it is no zstd.
    if (magic !== MAGIC) {
      this.#enter('frame', Number.POSITIVE_INFINITY);
      return;
    }
    const descriptor = header.readUInt8(4);
    const isSingle = (descriptor & 0x20) !== 0;
    const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
    const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
    const sizeAt = 5 + (isSingle ? 0 : 1) + dictionary;
    if (header.length < Math.min(sizeAt + sizeBytes, MAX_HEADER)) return;
    const windowSize = isSingle ? contentSize(header, sizeAt, sizeBytes) : windowIn(header.readUInt8(5));
    if (windowSize > MAX_WINDOW) throw new Error(`a zstd window of more than ${MAX_WINDOW >> 20} MiB`);
    this.#hasChecksum = (descriptor & 4) !== 0;
    this.#enter('block', 0);
  }

  #takeBlock(header: Buffer): void {
    const block = header.readUIntLE(0, BLOCK_HEADER);
    const isLast = (block & 1) === 1;
    const isRepeated = ((block >> 1) & 3) === 1;
    const size = isRepeated ? 1 : block >> 3;
    this.#enter(isLast ? 'frame' : 'block', size + (isLast && this.#hasChecksum ? 4 : 0));
  }

  #enter(next: 'frame' | 'block', skip: number): void {
    this.#parts++;
    this.#next = next;
    this.#skip = skip;
    this.#header = Buffer.alloc(0);
  }
}

function windowIn(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function contentSize(header: Buffer, at: number, bytes: number): number {
  if (bytes === 8) return Number(header.readBigUInt64LE(at));
  return header.readUIntLE(at, bytes) + (bytes === 2 ? 256 : 0);
}
