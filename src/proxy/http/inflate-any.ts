import { Transform, type TransformCallback } from 'node:stream';
import zlib from 'node:zlib';

/**
 * Decodes `deflate`, which means the zlib format. Many senders leave out its header, and many receivers accept that, so
 * the first byte decides.
 */
export function createInflateAny(): Transform {
  return new InflateAny();
}

/** The compression method of the zlib format. */
const DEFLATE = 8;

class InflateAny extends Transform {
  #inflate: Transform | undefined;

  override _transform(chunk: Uint8Array, _encoding: string, done: TransformCallback): void {
    if (chunk.length === 0) done();
    else this.#started(chunk[0] as number).write(chunk, (error) => done(error));
  }

  override _flush(done: TransformCallback): void {
    if (this.#inflate === undefined) done();
    else this.#inflate.once('end', () => done()).end();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#inflate?.destroy();
    done(error);
  }

  #started(first: number): Transform {
    if (this.#inflate === undefined) {
      this.#inflate = (first & 0x0f) === DEFLATE ? zlib.createInflate() : zlib.createInflateRaw();
      this.#inflate.on('data', (data: Uint8Array) => this.push(data));
      this.#inflate.on('error', (error) => this.destroy(error));
    }
    return this.#inflate;
  }
}
