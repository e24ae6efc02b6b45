/** What one write should carry: fewer, larger ones are faster. */
const WRITE_BYTES = 1 << 18;

/** The bytes of many small pieces of text in chunks worth a write each. */
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
