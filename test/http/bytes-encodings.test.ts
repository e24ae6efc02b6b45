import zlib from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { eventsOf } from '../support/recordings.ts';
import type { Field } from './http-message.ts';
import { ask, bytesOf, inChunks, Line, OK, withLength } from './oracle.ts';

const CALL = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"é"}}';
const RESULT = '{"jsonrpc":"2.0","id":7,"result":{"text":"✓ 1.0"}}';

/** Only newer versions of Node support zstd. */
const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Uint8Array) => Buffer };

const ENCODERS: (readonly [string, (bytes: Uint8Array) => Buffer])[] = [
  ['gzip', zlib.gzipSync],
  ['x-gzip', zlib.gzipSync],
  ['GZIP', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['br', zlib.brotliCompressSync],
  ['deflate, gzip', (bytes) => zlib.gzipSync(zlib.deflateSync(bytes))],
  ...(zstdCompressSync === undefined ? [] : ([['zstd', zstdCompressSync]] as const)),
];

function encoded(type: string, encoding: string): Field[] {
  return [
    ['Content-Type', type],
    ['Content-Encoding', encoding],
  ];
}

describe('an encoded HTTP body', () => {
  it.each(ENCODERS)('an encoded body is forwarded unchanged and recorded decoded: %s', async (encoding, encode) => {
    const line = await Line.open();
    const fields = encoded('application/json', encoding);
    await line.expectSame(
      withLength(ask('POST /mcp HTTP/1.1', [...fields, ['Accept-Encoding', 'gzip, br']], encode(Buffer.from(CALL)))),
      inChunks({ start: 'HTTP/1.1 200 OK', fields, body: encode(Buffer.from(RESULT)) }, 5),
    );
    const { trace } = await line.proxy.stop();
    expect(trace.messages.map(({ payload }) => payload)).toEqual([JSON.parse(CALL), JSON.parse(RESULT)]);
    expect(trace.messages[1]?.answers).toBe(trace.messages[0]?.id);
  });

  it.each([
    ['gzip', Buffer.concat([zlib.gzipSync(CALL), Buffer.alloc(512)])],
    ['br', Buffer.concat([zlib.brotliCompressSync(Buffer.from(CALL)), Buffer.from('\n')])],
    ['br', Buffer.from(CALL)],
  ])('an encoded request that ends or fails before its bytes do has their time: %s %#', async (encoding, body) => {
    const line = await Line.open();
    const answer = withLength({
      start: 'HTTP/1.1 200 OK',
      fields: encoded('application/json', 'identity'),
      body: Buffer.from(RESULT),
    });
    await line.carry(withLength(ask('POST /mcp HTTP/1.1', encoded('application/json', encoding), body)), answer);
    const { trace } = await line.proxy.stop();
    const before = trace.lines.filter(({ t }) => String(t) < String(trace.meta.startedAt));
    expect(before).toEqual([]);
  });

  it('an encoded body that is still being decoded when the session ends is recorded', async () => {
    const slowDecoder = new URL('../servers/slow-decoder.cjs', import.meta.url).pathname;
    const line = await Line.open([], { NODE_OPTIONS: `--require=${slowDecoder}` });
    const body = zlib.brotliCompressSync(Buffer.from(RESULT));
    const answer = withLength({ start: 'HTTP/1.1 200 OK', fields: encoded('application/json', 'br'), body });
    await line.carry(withLength(ask('POST /mcp HTTP/1.1', [], Buffer.from(CALL))), answer);
    const { trace } = await line.proxy.stop();
    expect(trace.messages.map(({ payload }) => payload)).toEqual([JSON.parse(CALL), JSON.parse(RESULT)]);
  });

  it('an encoded stream is recorded event by event while it is open', async () => {
    const line = await Line.open();
    await line.client.write(bytesOf(ask('GET /mcp HTTP/1.1', [['Accept', 'text/event-stream']])));
    const target = await line.server.requested();
    await target.message();
    const head = { start: 'HTTP/1.1 200 OK', fields: encoded('text/event-stream', 'gzip') };
    await target.write(bytesOf({ ...head, fields: [...head.fields, ['Transfer-Encoding', 'chunked']] }));
    await line.client.until('\r\n\r\n');
    const gzip = zlib.createGzip();
    gzip.write(`id: 1\ndata: ${RESULT}\n\n`);
    await new Promise<void>((resolve) => gzip.flush(() => resolve()));
    const chunk = gzip.read() as Buffer;
    await target.write(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]));
    await line.client.until(chunk.toString('latin1'));
    await vi.waitFor(() => expect(line.place.read('trace.jsonl')).toContain(RESULT));
  });

  it.each([
    ['of a kind that nobody knows', 'rot13', Buffer.from(RESULT), 'the encoding rot13 is not known'],
    [
      'with a name that means something to us',
      'constructor',
      Buffer.from(RESULT),
      'the encoding constructor is not known',
    ],
    ['that is not what it claims to be', 'gzip', Buffer.from(RESULT), 'incorrect header check'],
    ['that ends too early', 'gzip', zlib.gzipSync(RESULT).subarray(0, 30), 'unexpected end of file'],
  ])(
    'an encoded body %s is forwarded unchanged, and the recording contains a gap with the reason',
    async (_, encoding, body, why) => {
      const line = await Line.open();
      const fields = encoded('application/json', encoding);
      await line.expectSame(ask('GET /mcp HTTP/1.1'), withLength({ start: 'HTTP/1.1 200 OK', fields, body }));
      await line.expectSame(ask('GET /mcp HTTP/1.1'), OK);
      const { trace } = await line.proxy.stop();
      expect(trace.messages).toEqual([]);
      expect(eventsOf(trace, 'mcpreel.gap')).toEqual([{ missed: 1, why, dir: 'out', exchange: 0 }]);
    },
  );

  it('a body that decodes to more than --max-message is forwarded whole and recorded as a gap', async () => {
    const line = await Line.open(['--max-message', '64k']);
    const body = zlib.gzipSync(`{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(10 << 20)}"}`);
    const fields = encoded('application/json', 'gzip');
    await line.expectSame(ask('GET /mcp HTTP/1.1'), withLength({ start: 'HTTP/1.1 200 OK', fields, body }));
    const { trace } = await line.proxy.stop();
    expect(eventsOf(trace, 'mcpreel.gap')).toMatchObject([{ why: 'longer than --max-message', dir: 'out' }]);
  });
});
