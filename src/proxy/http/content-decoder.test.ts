import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unless } from '../../../test/support/unless.ts';
import { decoderFor } from './content-decoder.ts';

/** Encodes without compression: frames of raw blocks, with a checksum that decoders here do not verify. */
function zstdOf(bytes: Uint8Array): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 1000) {
    const part = bytes.subarray(at, at + 1000);
    const size = Buffer.alloc(3);
    size.writeUIntLE((part.length << 3) | 1, 0, 3);
    const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
    frames.push(header, size, Buffer.from(part));
    // Decoders skip such a frame.
    frames.push(Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]));
  }
  return Buffer.concat(frames);
}

const TEXT = Buffer.from('{"jsonrpc":"2.0","result":"é"}'.repeat(50));
const ENCODERS: readonly [string, (bytes: Uint8Array) => Buffer][] = [
  ['gzip', zlib.gzipSync],
  ['X-Gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['deflate', zlib.deflateRawSync],
  ['br', zlib.brotliCompressSync],
  ['zstd', zstdOf],
  ['gzip, zstd', (bytes) => zstdOf(zlib.gzipSync(bytes))],
  ['gzip, gzip', (bytes) => zlib.gzipSync(zlib.gzipSync(bytes))],
  [' deflate , identity, br ', (bytes) => zlib.brotliCompressSync(zlib.deflateSync(bytes))],
];

/** The decoded body for these chunks, and the error if decoding failed. */
function decode(
  encoding: string,
  chunks: readonly Uint8Array[],
  limit = 1 << 20,
): Promise<{ bytes: Buffer; error: string | undefined }> {
  return new Promise((resolve) => {
    const read: Uint8Array[] = [];
    const decoder = decoderFor(encoding, {
      limit,
      onChunk: (chunk) => read.push(chunk),
      onEnd: (error) => resolve({ bytes: Buffer.concat(read), error }),
    });
    if (decoder === undefined || decoder === 'unknown') throw new Error(`No decoder for ${encoding}`);
    for (const chunk of chunks) decoder.push(chunk);
    decoder.end();
  });
}

const ignored = { limit: 1, onChunk: () => undefined, onEnd: () => undefined };

/** Node decodes in other threads. */
const nativeZstd = 'createZstdDecompress' in zlib ? 'needs Node before 22.15' : undefined;

describe('decoderFor', () => {
  it.each(ENCODERS)('decodes %s', async (encoding, encode) => {
    expect(await decode(encoding, [encode(TEXT)])).toEqual({ bytes: TEXT, error: undefined });
  });

  it('decodes the same for any chunks', async () => {
    const encoded = zlib.gzipSync(TEXT);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(encoded.length), { maxLength: 6 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), encoded.length];
        const chunks = places.slice(1).map((end, index) => encoded.subarray(places[index], end));
        expect(await decode('gzip', chunks)).toEqual({ bytes: TEXT, error: undefined });
      }),
    );
  });

  it('returns no decoder for plain bodies, and "unknown" for unknown encodings', () => {
    for (const encoding of [undefined, '', 'identity', ' Identity , '])
      expect(decoderFor(encoding, ignored)).toBeUndefined();
    for (const encoding of ['rot13', 'gzip, rot13', 'constructor'])
      expect(decoderFor(encoding, ignored)).toBe('unknown');
  });

  it('refuses zstd whose window would take more memory than HTTP allows, in any frame and for any chunks', async () => {
    const small = zstdOf(Buffer.from('{}'));
    // A window descriptor of 2 GB, a content size of 1 GB, and the same after a small frame.
    const claims = [
      [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 1, 0, 0],
      [0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0x40, 1, 0, 0],
    ].map((bytes) => Buffer.from(bytes));
    for (const claim of claims) {
      for (const bytes of [claim, Buffer.concat([small, claim])]) {
        const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
        for (const chunks of [[bytes], single]) {
          expect((await decode('zstd', chunks)).error).toMatch(/window|memory/i);
        }
      }
    }
  });

  it('lets other work run between a few blocks of zstd', unless(nativeZstd), async () => {
    const blocks = Array.from({ length: 20_000 }, () => Buffer.from([0x02 | (8 << 3), 0, 0, 0x20]));
    const frame = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]), ...blocks]);
    // Loading the library takes turns, too.
    await decode('zstd', [zstdOf(TEXT)]);
    let turns = 0;
    let isDecoding = true;
    const count = (): void => {
      turns++;
      if (isDecoding) setImmediate(count);
    };
    count();
    const decoder = decoderFor('zstd', { ...ignored, limit: 1 << 20 });
    if (typeof decoder !== 'object') throw new Error('no decoder');
    await new Promise<void>((resolve) => decoder.push(frame, resolve));
    isDecoding = false;
    expect(turns).toBeGreaterThan(1000);
  });

  it('reports truncated bodies of every encoding', async () => {
    for (const [encoding, encode] of ENCODERS) {
      const encoded = encode(TEXT);
      const { error } = await decode(encoding, [encoded.subarray(0, encoded.length - 20)]);
      expect(error, encoding).toBeTypeOf('string');
    }
  });

  it('accepts at most four nested encodings', () => {
    expect(decoderFor('gzip,'.repeat(4), ignored)).toBeTypeOf('object');
    expect(decoderFor('gzip,'.repeat(5), ignored)).toBe('unknown');
  });

  it('decodes data before the body ends', async () => {
    const gzip = zlib.createGzip();
    const shown = await new Promise<string>((resolve) => {
      const decoder = decoderFor('gzip', {
        ...ignored,
        limit: 100,
        onChunk: (chunk) => resolve(Buffer.from(chunk).toString()),
      });
      gzip.on('data', (chunk: Buffer) => typeof decoder === 'object' && decoder.push(chunk));
      gzip.write('data: 1\n\n');
      gzip.flush();
    });
    expect(shown).toBe('data: 1\n\n');
  });

  it.each(ENCODERS)('calls back when everything in a chunk was emitted: %s', async (encoding, encode) => {
    const large = Buffer.concat(Array.from({ length: 400 }, () => TEXT));
    const encoded = encode(large);
    let emitted = 0;
    const decoder = decoderFor(encoding, {
      limit: large.length,
      onChunk: ({ length }) => {
        emitted += length;
      },
      onEnd: () => undefined,
    });
    if (typeof decoder !== 'object') throw new Error('no decoder');
    await new Promise<void>((resolve) => decoder.push(encoded.subarray(0, 10), resolve));
    await new Promise<void>((resolve) => decoder.push(encoded.subarray(10), resolve));
    expect(emitted).toBe(large.length);
    decoder.stop();
    await new Promise<void>((resolve) => decoder.push(encoded, resolve));
    expect(emitted).toBe(large.length);
  });

  it('calls back for a chunk that cannot be decoded, and limits each chunk of a stream', async () => {
    const problems: (string | undefined)[] = [];
    const onEnd = (problem: string | undefined): void => void problems.push(problem);
    const broken = decoderFor('gzip, br', { ...ignored, limit: 100_000, onEnd });
    if (typeof broken !== 'object') throw new Error('no decoder');
    await new Promise<void>((resolve) => broken.push(zlib.brotliCompressSync(TEXT), resolve));
    const stream = decoderFor('zstd', { ...ignored, limit: 1000, isStream: true, onEnd });
    if (typeof stream !== 'object') throw new Error('no decoder');
    for (const size of [900, 900, 1100]) {
      await new Promise<void>((resolve) => stream.push(zstdOf(Buffer.alloc(size)), resolve));
    }
    expect(problems).toEqual(['incorrect header check', 'longer than --max-message']);
  });

  it.each([
    ['that is none', 'gzip', TEXT, 'incorrect header check'],
    ['that ends too early', 'gzip', zlib.gzipSync(TEXT).subarray(0, -9), 'unexpected end of file'],
    ['of which the inner part is broken', 'br, gzip', zlib.gzipSync(Buffer.from([0xff, 0xff, 0xff])), undefined],
  ])('reports the error in a body %s', async (_, encoding, bytes, expected) => {
    const { error } = await decode(encoding, [bytes]);
    if (expected === undefined) expect(error).toEqual(expect.any(String));
    else expect(error).toBe(expected);
  });

  it('stops decoding if an inner encoding exceeds the size limit, though it contains nothing', async () => {
    const empty = Buffer.concat(Array.from({ length: 10_000 }, () => zlib.gzipSync('')));
    const problem = await new Promise<string | undefined>((resolve) => {
      const decoder = decoderFor('gzip, gzip', { limit: 100_000, onChunk: () => undefined, onEnd: resolve });
      if (decoder === undefined || decoder === 'unknown') throw new Error('no decoder');
      decoder.push(zlib.gzipSync(empty));
      decoder.end();
    });
    expect(problem).toMatch(/longer than/);
  });

  it('stops decoding at the size limit', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(50 << 20));
    const { bytes, error } = await decode('gzip', [bomb], 100_000);
    expect(bytes.length).toBeLessThanOrEqual(100_000);
    expect(error).toBe('longer than --max-message');
  });
});
