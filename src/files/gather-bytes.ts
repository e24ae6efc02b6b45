/** The target size of one write. Fewer, larger writes are faster. */
const WRITE_BYTES = 1 << 18;

/** Combines many small pieces into chunks that are large enough for one write each. */
export async function* gatherBytes(
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    gathered.push(bytes);
    length += bytes.length;
    if (length >= WRITE_BYTES) {
      yield gathered.length === 1 ? bytes : Buffer.concat(gathered);
      gathered = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(gathered);
}
