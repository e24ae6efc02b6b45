/** About as much text as one write should have. */
const CHUNK_LENGTH = 1 << 16;

/**
 * Joins lines into chunks. A write of its own for each of tens of thousands of lines would take many times the memory of
 * their text.
 */
export function* joinedLines(lines: Iterable<string>): Generator<string> {
  let chunk: string[] = [];
  let length = 0;
  for (const line of lines) {
    chunk.push(line);
    length += line.length;
    if (length < CHUNK_LENGTH) continue;
    yield chunk.join('');
    chunk = [];
    length = 0;
  }
  if (chunk.length > 0) yield chunk.join('');
}
