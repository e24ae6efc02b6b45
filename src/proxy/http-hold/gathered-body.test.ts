import { PassThrough } from 'node:stream';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sampleInterceptor } from '../../../test/support/proxy/sample-interceptor.ts';
import { type GatheredBody, gatherBody } from './gathered-body.ts';

/** Gathers these chunks. The body ends after them unless the test says otherwise. */
function gather(
  chunks: readonly (string | Uint8Array)[],
  {
    encoding,
    limit = 100,
    ends = true,
    isStrict = false,
    interceptor = sampleInterceptor(),
  }: Partial<Parameters<typeof gatherBody>[1]> & { ends?: boolean },
): { from: PassThrough; gathered: Promise<GatheredBody> } {
  const from = new PassThrough();
  const gathered = new Promise<GatheredBody>((resolve) =>
    gatherBody(from, { interceptor, limit, encoding, isStrict }, resolve),
  );
  for (const chunk of chunks) from.write(chunk);
  if (ends) from.end();
  return { from, gathered };
}

const bytesOf = ({ chunks }: GatheredBody): string => Buffer.concat(chunks).toString('latin1');

describe('a buffered body', () => {
  it('returns the text of a complete body', async () => {
    const { gathered } = gather([' {"a"', ':1}'], {});
    expect(await gathered).toMatchObject({ isWhole: true, content: Buffer.from(' {"a":1}') });
  });

  it('decodes a body for inspection, and keeps its original bytes', async () => {
    const zipped = gzipSync('{"a":1}');
    const { gathered } = gather([zipped.subarray(0, 5), zipped.subarray(5)], { encoding: 'gzip' });
    expect(await gathered).toMatchObject({ isWhole: true, content: Buffer.from('{"a":1}') });
    expect(bytesOf(await gathered)).toBe(zipped.toString('latin1'));
  });

  it.each([
    ['is encoded as nobody knows', { encoding: 'rot13' }, 'the encoding rot13 is not known'],
    ['is not what its encoding says', { encoding: 'gzip' }, 'it cannot be decoded: incorrect header check'],
    ['is cut off', { encoding: 'br' }, 'it cannot be decoded: unexpected end of file'],
  ])('gives the reason for a body that %s', async (_, options, unread) => {
    const { gathered } = gather(
      [options.encoding === 'br' ? brotliCompressSync('{"a":"bcdefg"}').subarray(0, 6) : '{}'],
      options,
    );
    expect(await gathered).toMatchObject({ isWhole: true, content: undefined, unread });
  });

  it.each([
    ['too long', '{"a":"b', { limit: 5 }, 'longer than --max-message'],
    ['no object and no list', ' \n token=x', {}, undefined],
  ])('stops buffering before the end if the body is %s', async (_, text, options, unread) => {
    const { from, gathered } = gather([text], { ...options, ends: false });
    expect(await gathered).toMatchObject({ isWhole: false, content: undefined, unread });
    expect([bytesOf(await gathered), from.isPaused()]).toEqual([text, true]);
  });

  it('stops buffering when interception is turned off, and when the body breaks off', async () => {
    const interceptor = sampleInterceptor();
    const { gathered } = gather(['{"a"'], { interceptor, ends: false });
    interceptor.setMode('passthrough');
    expect(bytesOf(await gathered)).toBe('{"a"');
    const broken = gather(['{"a"'], { ends: false });
    broken.from.destroy();
    expect(await broken.gathered).toMatchObject({ isWhole: false });
  });
});
