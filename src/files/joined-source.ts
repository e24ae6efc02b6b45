import { ReelError } from '../model/errors.ts';
import type { FileSource } from './file-source.ts';

const LINE_FEED = Uint8Array.of(0x0a);

/** A source with its offsets in the joined file. */
interface PlacedSource {
  readonly source: FileSource;
  readonly start: number;
  readonly end: number;
}

/**
 * Joins several line-based files into one source. A file that ends within a line gets a line feed, so that its last
 * line does not continue in the next file. A file that is removed meanwhile is skipped, because trace rotation removes
 * the oldest parts.
 */
export async function joinSources(sources: readonly FileSource[], name: string): Promise<FileSource> {
  const placed: PlacedSource[] = [];
  let size = 0;
  for (const [index, source] of sources.entries()) {
    const isLast = index === sources.length - 1;
    const end = size + source.size;
    placed.push({ source, start: size, end });
    size = isLast || (await endsLine(source)) ? end : end + LINE_FEED.length;
  }
  return {
    name,
    size,
    read: (start, end) => readJoined(placed, start, Math.min(end, size)),
    readNow: (start, end) => readJoinedNow(placed, start, Math.min(end, size)),
  };
}

async function endsLine(source: FileSource): Promise<boolean> {
  let last: number | undefined = LINE_FEED[0];
  for await (const chunk of source.read(Math.max(0, source.size - 1), source.size)) last = chunk.at(-1);
  return last === LINE_FEED[0];
}

async function* readJoined(placed: readonly PlacedSource[], start: number, end: number): AsyncGenerator<Uint8Array> {
  for (const [index, { source, start: offset, end: next }] of placed.entries()) {
    const from = Math.max(start, offset);
    const to = Math.min(end, next);
    if (from < to) yield* readUnlessRemoved(source, from - offset, to - offset);
    const isFollowedAt = placed[index + 1]?.start ?? next;
    if (isFollowedAt > next && start <= next && next < end) yield LINE_FEED;
  }
}

function readJoinedNow(placed: readonly PlacedSource[], start: number, end: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (const [index, { source, start: offset, end: next }] of placed.entries()) {
    const from = Math.max(start, offset);
    const to = Math.min(end, next);
    if (from < to) pieces.push(source.readNow(from - offset, to - offset));
    const isFollowedAt = placed[index + 1]?.start ?? next;
    if (isFollowedAt > next && start <= next && next < end) pieces.push(LINE_FEED);
  }
  return Buffer.concat(pieces);
}

async function* readUnlessRemoved(source: FileSource, start: number, end: number): AsyncGenerator<Uint8Array> {
  try {
    yield* source.read(start, end);
  } catch (error) {
    if (!(error instanceof ReelError) || error.code !== 'file-not-found') throw error;
  }
}
