import type { Source } from '../../src/formats/format.ts';

/** Chunk size in bytes, or the offsets at which the file is cut. */
export type Cuts = number | readonly number[];

/**
 * A source of bytes in memory. It reuses the buffer of each chunk for the next one, as the contract of `Source` allows.
 * So tests detect a reader that keeps a chunk.
 */
export function sourceOf(content: string | Uint8Array, name = 'memory', cuts: Cuts = 1 << 16): Source {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return {
    name,
    size: bytes.length,
    async *read(start, end) {
      for (const [from, to] of pieces(start, Math.min(end, bytes.length), cuts)) {
        const lent = bytes.slice(from, to);
        yield lent;
        lent.fill(0x21);
      }
    },
    readNow: (start, end) => bytes.slice(start, end),
  };
}

/** A source that generates equally long blocks while it is read, without keeping them. */
export function generatedSource(name: string, blocks: number, blockAt: (index: number) => Uint8Array): Source {
  const blockBytes = blockAt(0).length;
  return {
    name,
    size: blocks * blockBytes,
    async *read(start, end) {
      for (let at = start; at < end; ) {
        const index = Math.floor(at / blockBytes);
        const from = at - index * blockBytes;
        const piece = blockAt(index).subarray(from, Math.min(blockBytes, from + end - at));
        at += piece.length;
        yield piece;
      }
    },
  };
}

function* pieces(start: number, end: number, cuts: Cuts): Generator<[from: number, to: number]> {
  if (typeof cuts === 'number') {
    for (let from = start; from < end; from += cuts) yield [from, Math.min(end, from + cuts)];
    return;
  }
  const inside = cuts.filter((cut) => cut > start && cut < end).sort((a, b) => a - b);
  let from = start;
  for (const to of [...inside, end]) {
    yield [from, to];
    from = to;
  }
}
