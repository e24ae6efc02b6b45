import { Transform, type TransformCallback } from 'node:stream';
import { ZstdWindows } from './zstd-windows.ts';

/** Decodes zstd where Node itself cannot. The library is loaded with the first chunk. */
export function createZstdDecoder(): Transform {
  return new ZstdDecoder();
}

type Decompress = import('fzstd').Decompress;

class ZstdDecoder extends Transform {
  readonly #windows = new ZstdWindows();
  #decompress: Decompress | undefined;

  override _transform(chunk: Uint8Array, _encoding: string, done: TransformCallback): void {
    void this.#decode(chunk, false).then(() => done(), done);
  }

  override _flush(done: TransformCallback): void {
    void this.#decode(new Uint8Array(), true).then(() => done(), done);
  }

  async #decode(chunk: Uint8Array, isLast: boolean): Promise<void> {
    this.#windows.check(chunk);
    this.#decompress ??= new (await import('fzstd')).Decompress((data) => {
      if (data.length > 0) this.push(Buffer.from(data));
    });
    this.#decompress.push(new Uint8Array(chunk), isLast);
  }
}
