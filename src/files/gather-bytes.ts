/** The target size of one write. Fewer, larger writes are faster. */
const WRITE_BYTES = 1 << 18;
/** Longer text is encoded in parts, so that it is not in memory twice. */
const MAX_ENCODED = 1 << 20;

/** Combines many small pieces into chunks that are large enough for one write each. */
export async function* gatherBytes(
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    for (const bytes of encoded(piece)) {
      gathered.push(bytes);
      length += bytes.length;
      if (length < WRITE_BYTES) continue;
      yield gathered.length === 1 ? bytes : Buffer.concat(gathered);
      gathered = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(gathered);
}

function* encoded(piece: string | Uint8Array): Generator<Uint8Array> {
  if (typeof piece !== 'string') {
    yield piece;
    return;
  }
  for (let at = 0; at < piece.length; ) {
    let end = Math.min(piece.length, at + MAX_ENCODED);
    // Both halves of a character belong together.
    if (end < piece.length && (piece.charCodeAt(end) & 0xfc00) === 0xdc00) end++;
    yield Buffer.from(piece.slice(at, end));
    at = end;
  }
}
