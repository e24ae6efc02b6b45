import type { Source } from '../../src/formats/format.ts';

const CHUNK_BYTES = 1 << 18;

/** A file of the browser, or anything else that it holds. */
export function blobSource(name: string, blob: Blob): Source {
  return {
    name,
    size: blob.size,
    async *read(start, end) {
      for (let at = start; at < end; at += CHUNK_BYTES) {
        yield new Uint8Array(await blob.slice(at, Math.min(end, at + CHUNK_BYTES)).arrayBuffer());
      }
    },
  };
}
