import type { Source } from '../../src/formats/format.ts';

/** A format is looked for, and a header read, before the entries are: all of that is in the first piece. */
const HEAD_BYTES = 1 << 16;

/** A file of the browser, or anything else that it holds. */
export function blobSource(name: string, blob: Blob): Source {
  let head: Promise<ArrayBuffer> | undefined;
  return {
    name,
    size: blob.size,
    quick: quickly,
    async *read(start, end) {
      if (start < HEAD_BYTES) {
        head ??= blob.slice(0, HEAD_BYTES).arrayBuffer();
        yield new Uint8Array(await head).subarray(start, end);
      }
      // One long stream costs a browser a fraction of what as many requests for a part do.
      if (end > HEAD_BYTES) yield* chunksOf(blob.slice(Math.max(start, HEAD_BYTES), end).stream());
    },
  };
}

/** The chunks of a stream; not every browser lets a stream be iterated. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // Of a stream that broke, even this fails.
    await reader.cancel().catch(() => undefined);
  }
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
