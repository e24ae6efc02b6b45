import { Transform, type TransformCallback } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import zlib from 'node:zlib';
import { ZstdFrames } from './zstd-frames.ts';

type NativeDecompressor = Transform & { reset(): void };

/** Missing in the types of the oldest supported Node version, and in that version. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => NativeDecompressor };

/** Creates a decoder for a body in one or more frames of zstd. */
export function createZstdDecoder(): Transform {
  return createZstdDecompress === undefined ? new BundledZstdDecoder() : new NativeZstdDecoder(createZstdDecompress());
}

/**
 * Decodes with Node's own decompressor, which stops silently after the first frame and in the middle of one, and allows
 * large windows.
 */
class NativeZstdDecoder extends Transform {
  readonly #frames = new ZstdFrames();
  readonly #native: NativeDecompressor;
  #onError: (error: Error) => void = () => undefined;

  constructor(native: NativeDecompressor) {
    super();
    this.#native = native;
    native.on('data', (bytes) => {
      if (!this.push(bytes)) native.pause();
    });
    native.on('error', (error) => this.#onError(error));
  }

  override _read(size: number): void {
    this.#native.resume();
    super._read(size);
  }

  override _transform(chunk: Uint8Array, _encoding: string, done: TransformCallback): void {
    void this.#decode(chunk).then(() => done(), done);
  }

  override _flush(done: TransformCallback): void {
    done(this.#frames.isComplete ? undefined : new Error('unexpected end of file'));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#native.destroy();
    done(error);
  }

  async #decode(chunk: Uint8Array): Promise<void> {
    let start = 0;
    for (const end of this.#frames.endsIn(chunk)) {
      await this.#write(chunk.subarray(start, end));
      if (this.destroyed) return;
      this.#native.reset();
      start = end;
    }
    await this.#write(chunk.subarray(start));
  }

  /** Resolves when everything in these bytes was decoded. */
  #write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#onError = reject;
      this.#native.write(bytes, () => resolve());
    });
  }
}

type Decompress = import('fzstd').Decompress;

/** Decodes where Node cannot. The library is loaded with the first chunk. */
class BundledZstdDecoder extends Transform {
  readonly #frames = new ZstdFrames();
  #decompress: Decompress | undefined;

  override _transform(chunk: Uint8Array, _encoding: string, done: TransformCallback): void {
    void this.#decode(chunk, false).then(() => done(), done);
  }

  override _flush(done: TransformCallback): void {
    void this.#decode(new Uint8Array(), true).then(() => done(), done);
  }

  /** Decodes in slices between which traffic is forwarded, and stops if it is ended meanwhile. */
  async #decode(chunk: Uint8Array, isLast: boolean): Promise<void> {
    this.#decompress ??= new (await import('fzstd')).Decompress((data) => {
      if (data.length > 0) this.push(Buffer.from(data));
    });
    let isFirst = true;
    for (const slice of this.#frames.slices(chunk)) {
      if (!isFirst) await setImmediate();
      if (this.destroyed) return;
      isFirst = false;
      this.#decompress.push(new Uint8Array(slice));
    }
    if (isLast) this.#decompress.push(new Uint8Array(), true);
  }
}
