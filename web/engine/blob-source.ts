import type { Source } from '../../src/formats/format.ts';

/** The first rows are to be there soon; after that bigger pieces cost less. */
const FIRST_BYTES = 1 << 16;
const MOST_BYTES = 1 << 21;

/** A file of the browser, or anything else that it holds. The next piece is fetched while one is being worked on. */
export function blobSource(name: string, blob: Blob): Source {
  // A format is looked for, and a header read, before the entries are: all of that is in the first piece.
  let head: Promise<ArrayBuffer> | undefined;
  const piece = (from: number, to: number): Promise<ArrayBuffer> => {
    if (to > FIRST_BYTES) return blob.slice(from, to).arrayBuffer();
    head ??= blob.slice(0, FIRST_BYTES).arrayBuffer();
    return head.then((bytes) => bytes.slice(from, to));
  };
  return {
    name,
    size: blob.size,
    quick: quickly,
    async *read(start, end) {
      let size = FIRST_BYTES;
      let at = start;
      const next = (): Promise<ArrayBuffer> | undefined => {
        if (at >= end) return undefined;
        const coming = piece(at, Math.min(end, at + size));
        at += size;
        size = Math.min(MOST_BYTES, size * 4);
        return coming;
      };
      for (let coming = next(); coming !== undefined; ) {
        const bytes = await coming;
        coming = next();
        yield new Uint8Array(bytes);
      }
    },
  };
}

/**
 * Every call of a browser's decoder costs as much as a line of text. So whole blocks are decoded, and where one turns out
 * to be ASCII, as most are, its lines are cut from it.
 */
function quickly(bytes: Uint8Array): ((start: number, end: number) => string) | undefined {
  const text = LENIENT.decode(bytes);
  return text.length === bytes.length && !text.includes('\ufffd') ? (start, end) => text.slice(start, end) : undefined;
}

const LENIENT = new TextDecoder('utf-8', { ignoreBOM: true });
