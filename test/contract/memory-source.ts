import type { Source } from '../../src/formats/format.ts';

/** Where the bytes are cut: every so many, or at these offsets of the file. */
export type Cuts = number | readonly number[];

/**
 * Bytes in memory as a source. Each chunk is lent out in a buffer that is overwritten when the next one is asked for,
 * as the contract of `Source` allows, so that a reader which holds on to a chunk is found out.
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
  };
}

/** A source whose bytes are made while it is read, block by block, and kept nowhere. Every block has the same length. */
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
