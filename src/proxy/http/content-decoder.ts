import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { DecoderStage, type DecompressorFactory } from './decoder-stage.ts';
import { createZstdDecoder } from './zstd-decoder.ts';

/** Decodes a compressed body for the recording or for holding. */
export interface ContentDecoder {
  /** Calls back when everything in the chunks so far was emitted, or decoding has ended. */
  push(chunk: Uint8Array, onDecoded?: () => void): void;
  end(): void;
  /** Ends decoding without a report. */
  stop(): void;
}

export interface DecodedBody {
  /** The maximum decoded size, as a protection against decompression bombs. */
  readonly limit: number;
  /** Whether the limit applies to each chunk, for a body without end. */
  readonly isStream?: boolean;
  readonly onChunk: (chunk: Uint8Array) => void;
  /** Called once, with the error if there was one. */
  readonly onEnd: (error: string | undefined) => void;
}

/** More encodings are not used in practice, and each one costs memory, which a header could make grow without limit. */
const MAX_ENCODINGS = 4;

/** A Map, because the name comes from a peer, and a plain object inherits members. */
const FACTORIES: ReadonlyMap<string, DecompressorFactory> = new Map([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['deflate', createInflateAny],
  ['br', () => zlib.createBrotliDecompress()],
  ['zstd', createZstdDecoder],
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
  const factories = names.reverse().map((name) => FACTORIES.get(name));
  return factories.every((factory) => factory !== undefined) ? new DecoderChain(factories, decoded) : 'unknown';
}

/** Decompresses what each stage passes to the next. */
class DecoderChain implements ContentDecoder {
  readonly #decoded: DecodedBody;
  readonly #stages: readonly DecoderStage[];
  #hasEnded = false;

  constructor(factories: readonly DecompressorFactory[], decoded: DecodedBody) {
    this.#decoded = decoded;
    let next: DecoderStage | undefined;
    // Each stage is limited: what the first one unpacks may be endless and contain nothing for the next.
    this.#stages = factories
      .toReversed()
      .map((factory) => {
        next = new DecoderStage(factory, decoded.limit, this.#outputTo(next));
        return next;
      })
      .reverse();
  }

  push(chunk: Uint8Array, onDecoded?: () => void): void {
    if (this.#decoded.isStream) for (const stage of this.#stages) stage.resetSize();
    this.#stages[0]?.push(chunk, onDecoded);
  }

  end(): void {
    this.#stages[0]?.end();
  }

  stop(): void {
    this.#hasEnded = true;
    for (const stage of this.#stages) stage.stop();
  }

  #outputTo(next: DecoderStage | undefined): ConstructorParameters<typeof DecoderStage>[2] {
    const onError = (reason: string): void => this.#finish(reason);
    if (next !== undefined) {
      return { onChunk: (chunk, onTaken) => next.push(chunk, onTaken), onEnd: () => next.end(), onError };
    }
    return {
      onChunk: (chunk, onTaken) => {
        if (!this.#hasEnded) this.#decoded.onChunk(chunk);
        onTaken();
      },
      onEnd: () => this.#finish(undefined),
      onError,
    };
  }

  #finish(error: string | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#decoded.onEnd(error);
    this.stop();
  }
}

/** The compression method of the zlib format. */
const DEFLATE = 8;

/**
 * Decodes `deflate`, which means the zlib format. Many senders leave out its header, and many receivers accept that, so
 * the first byte decides.
 */
function createInflateAny([first = 0]: Uint8Array): Transform {
  return (first & 0x0f) === DEFLATE ? zlib.createInflate() : zlib.createInflateRaw();
}
