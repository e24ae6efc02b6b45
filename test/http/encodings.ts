import type { Transform } from 'node:stream';
import zlib from 'node:zlib';

/** Encodes the parts of a body so that a receiver can decode each part when it arrives; the last result is the end. */
export type BodyEncoder = (parts: readonly Buffer[]) => Promise<Buffer[]>;

function streaming(create: () => Transform & { flush(done: () => void): void }): BodyEncoder {
  return async (parts) => {
    const stream = create();
    let chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    const encoded: Buffer[] = [];
    const take = (): void => {
      encoded.push(Buffer.concat(chunks));
      chunks = [];
    };
    for (const part of parts) {
      stream.write(part);
      await new Promise<void>((resolve) => stream.flush(resolve));
      take();
    }
    await new Promise<void>((resolve) => stream.once('end', resolve).end());
    take();
    return encoded;
  };
}

/** Frames of raw blocks, because the oldest supported Node version cannot encode zstd. */
const zstd: BodyEncoder = async (parts) => [...parts.map(zstdFrames), Buffer.alloc(0)];

function zstdFrames(bytes: Uint8Array): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 1000) {
    const part = bytes.subarray(at, at + 1000);
    const size = Buffer.alloc(3);
    size.writeUIntLE((part.length << 3) | 1, 0, 3);
    frames.push(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x00]), size, Buffer.from(part));
  }
  return Buffer.concat(frames);
}

function nested(inner: BodyEncoder, outer: BodyEncoder): BodyEncoder {
  return async (parts) => {
    const encoded = await inner(parts);
    const [end = Buffer.alloc(0)] = encoded.splice(-1);
    const all = await outer([...encoded, end]);
    // The end of the inner encoding comes with that of the outer one.
    const [innerEnd = Buffer.alloc(0), outerEnd = Buffer.alloc(0)] = all.splice(-2);
    return [...all, Buffer.concat([innerEnd, outerEnd])];
  };
}

const gzip = streaming(zlib.createGzip);
const br = streaming(zlib.createBrotliCompress);

/** By the value of `Content-Encoding`. */
export const ENCODERS: Readonly<Record<string, BodyEncoder>> = {
  gzip,
  br,
  zstd,
  deflate: streaming(zlib.createDeflate),
  'identity, deflate': streaming(zlib.createDeflateRaw),
  'gzip, br': nested(gzip, br),
  'zstd, gzip': nested(zstd, gzip),
};

export const plain: BodyEncoder = async (parts) => [...parts, Buffer.alloc(0)];
