import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { TOO_LONG } from '../../model/gap-reasons.ts';

/** Turns the copy of an encoded body into what it says. */
export interface ContentDecoder {
  push(chunk: Uint8Array): void;
  end(): void;
}

export interface DecodedBody {
  /** A little says a lot: beyond so many bytes nothing more is decoded. */
  readonly limit: number;
  readonly onChunk: (chunk: Uint8Array) => void;
  /** Told once, with what went wrong if anything did. */
  readonly onEnd: (error: string | undefined) => void;
}

/** Node has more of them than its types for the oldest version that we run on say. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform };

/** Nobody encodes a body more often, and each time takes memory, of which a header can ask for any amount. */
const MAX_ENCODINGS = 4;

/** No plain object: the name comes from a peer, and objects have more members than were put there. */
const FACTORIES: ReadonlyMap<string, (() => Transform) | undefined> = new Map([
  ['gzip', zlib.createGunzip],
  ['x-gzip', zlib.createGunzip],
  ['deflate', zlib.createInflate],
  ['br', zlib.createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

/**
 * A decoder for the value of a `Content-Encoding` header; `undefined` where the body is what it says already, or `unknown`
 * where nobody here can tell. What was sent is shown as soon as it can be read: streams are encoded, too.
 */
export function decoderFor(encoding: string | undefined, decoded: DecodedBody): ContentDecoder | 'unknown' | undefined {
  const names = (encoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length === 0) return undefined;
  if (names.length > MAX_ENCODINGS) return 'unknown';
  // They stand in the order in which they were applied.
  const stages = names.reverse().map((name) => FACTORIES.get(name)?.());
  return stages.every((stage) => stage !== undefined) ? chain(stages, decoded) : 'unknown';
}

function chain(stages: readonly Transform[], { limit, onChunk, onEnd }: DecodedBody): ContentDecoder | 'unknown' {
  const [first] = stages;
  const last = stages.at(-1);
  if (first === undefined || last === undefined) return 'unknown';
  let ended = false;
  const finish = (error: string | undefined): void => {
    if (ended) return;
    ended = true;
    onEnd(error);
  };
  for (const [index, stage] of stages.entries()) {
    stage.on('error', (error) => finish(error.message));
    const next = stages[index + 1];
    if (next !== undefined) stage.pipe(next);
  }
  let size = 0;
  last.on('data', (chunk: Uint8Array) => {
    size += chunk.length;
    if (ended) return;
    if (size <= limit) onChunk(chunk);
    else {
      finish(TOO_LONG);
      for (const stage of stages) stage.destroy();
    }
  });
  last.once('end', () => finish(undefined));
  return {
    push: (chunk) => void (ended || first.write(chunk)),
    end: () => void (ended || first.end()),
  };
}
