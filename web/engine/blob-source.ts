import type { Source } from '../../src/formats/format.ts';

/** The first rows are to be there soon; after that bigger pieces cost less. */
const FIRST_BYTES = 1 << 16;
const MOST_BYTES = 1 << 20;

/** A file of the browser, or anything else that it holds. The next piece is fetched while one is being worked on. */
export function blobSource(name: string, blob: Blob): Source {
  return {
    name,
    size: blob.size,
    async *read(start, end) {
      let size = FIRST_BYTES;
      let at = start;
      const next = (): Promise<ArrayBuffer> | undefined => {
        if (at >= end) return undefined;
        const piece = blob.slice(at, Math.min(end, at + size)).arrayBuffer();
        at += size;
        size = Math.min(MOST_BYTES, size * 4);
        return piece;
      };
      for (let coming = next(); coming !== undefined; ) {
        const piece = await coming;
        coming = next();
        yield new Uint8Array(piece);
      }
    },
  };
}
