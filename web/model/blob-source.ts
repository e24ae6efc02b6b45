import type { Source } from '../../src/formats/format.ts';

/** The reader detects the format and reads the header before the entries. The first chunk contains all of that. */
const HEAD_BYTES = 1 << 16;

/** A source that reads a browser file or any other blob. */
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
      // In a browser, one long stream costs a fraction of many requests for slices.
      if (end > HEAD_BYTES) yield* chunksOf(blob.slice(Math.max(start, HEAD_BYTES), end).stream());
    },
  };
}

/** The chunks of a stream. Some browsers do not support iterating a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // After a stream error, cancel fails too.
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Each call of a browser's decoder costs as much as a line of text. So this decodes whole blocks, and slices the lines
 * from a block if it is ASCII, as most are.
 */
function quickly(bytes: Uint8Array): ((start: number, end: number) => string) | undefined {
  const text = LENIENT.decode(bytes);
  return text.length === bytes.length && !text.includes('\ufffd') ? (start, end) => text.slice(start, end) : undefined;
}

const LENIENT = new TextDecoder('utf-8', { ignoreBOM: true });
