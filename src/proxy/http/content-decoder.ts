import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { TOO_LONG } from '../../model/gap-reasons.ts';
import { createInflateAny } from './inflate-any.ts';
import { createZstdDecoder } from './zstd-decoder.ts';

/** Decodes a compressed body for the recording or for holding. */
export interface ContentDecoder {
  push(chunk: Uint8Array): void;
  end(): void;
}

export interface DecodedBody {
  /** The maximum decoded size, as a protection against decompression bombs. */
  readonly limit: number;
  readonly onChunk: (chunk: Uint8Array) => void;
  /** Called once, with the error if there was one. */
  readonly onEnd: (error: string | undefined) => void;
}

/** Missing in the types of the oldest supported Node version, and in that version. */
const { createZstdDecompress = createZstdDecoder } = zlib as { createZstdDecompress?: () => Transform };

/** More encodings are not used in practice, and each one costs memory, which a header could make grow without limit. */
const MAX_ENCODINGS = 4;

/** A Map, because the name comes from a peer, and a plain object inherits members. */
const FACTORIES: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', zlib.createGunzip],
  ['x-gzip', zlib.createGunzip],
  ['deflate', createInflateAny],
  ['br', zlib.createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

/**
 * Creates a decoder for a `Content-Encoding` value. Returns `undefined` if the body is not encoded, and `unknown` for
 * an unsupported encoding. Decoded bytes are emitted as early as possible, because event streams may be encoded, too.
 */
export function decoderFor(encoding: string | undefined, decoded: DecodedBody): ContentDecoder | 'unknown' | undefined {
  const names = (encoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length === 0) return undefined;
  if (names.length > MAX_ENCODINGS) return 'unknown';
  // The header lists them in the order in which they were applied.
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
    let size = 0;
    stage.on('error', (error) => finish(error.message));
    // Each stage is limited: what the first one unpacks may be endless and contain nothing for the next.
    stage.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (ended) return;
      if (size > limit) {
        finish(TOO_LONG);
        for (const one of stages) one.destroy();
      } else if (stage === last) onChunk(chunk);
    });
    const next = stages[index + 1];
    if (next !== undefined) stage.pipe(next);
  }
  last.once('end', () => finish(undefined));
  return {
    push: (chunk) => void (ended || first.write(chunk)),
    end: () => void (ended || first.end()),
  };
}
