import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { rawHttpServer } from '../support/raw-http-server.ts';

const PEAK = fileURLToPath(new URL('peak.cjs', import.meta.url));

/** What a body unpacks to. */
const UNPACKED = 128 << 20;
const MAX_MEGABYTES = 500;

/** A frame of zstd in which each block repeats one byte. Node below 22.15 makes none. */
function zstdBomb(): Buffer {
  const block = 128 << 10;
  const blocks = Array.from({ length: UNPACKED / block }, (_, index, isLast = index === UNPACKED / block - 1) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUIntLE((block << 3) | (1 << 1) | (isLast ? 1 : 0), 0, 3);
    bytes.write(' ', 3);
    return bytes;
  });
  // A window of 128 KiB.
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]), ...blocks]);
}

const gzip = gzipSync(Buffer.alloc(UNPACKED, ' '));
const BOMBS: Readonly<Record<string, Buffer>> = {
  gzip,
  'gzip, gzip': gzipSync(gzip),
  deflate: deflateSync(Buffer.alloc(UNPACKED, ' ')),
  br: brotliCompressSync(Buffer.alloc(UNPACKED, ' ')),
  zstd: zstdBomb(),
};

/** Posts a body, and returns the bytes of the answer as they were sent. */
function post(url: string, body: string | Buffer, encoding: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'X-Wants': encoding };
    const sent = request(url, { method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => resolve(Buffer.concat(chunks)));
    });
    sent.on('error', reject).end(body);
  });
}

it.each([
  ['recorded', []],
  ['held', ['--hold', 'tool:never']],
])('bodies that unpack to far more pass unchanged while they are %s, in little memory', async (_, flags) => {
  const place = new Place();
  const server = await rawHttpServer(({ headers }, response) => {
    const encoding = String(headers['x-wants']);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': encoding }).end(BOMBS[encoding]);
  });
  const env = { NODE_OPTIONS: `--require ${PEAK}`, PEAK_FILE: place.path('peak.json') };
  const target = ['--target-url', server.url.href, '--listen-port', '0', '--trace-file', 't.jsonl', ...flags];
  const running = place.start(['proxy', 'start', '--max-message', '1m', ...target], env);
  const [, url = ''] = await running.noted(/^mcpreel: Listening on (\S+)/m);
  for (const [encoding, bomb] of Object.entries(BOMBS)) {
    const received = await post(url, '{"jsonrpc":"2.0","id":1,"method":"ping"}', encoding);
    expect([encoding, received.equals(bomb)]).toEqual([encoding, true]);
  }
  running.signal('SIGINT');
  await running.ended;
  expect(JSON.parse(place.read('peak.json'))).toMatchObject({
    megabytes: expect.toSatisfy((n: number) => n < MAX_MEGABYTES),
  });
  expect(place.read('t.jsonl').length).toBeLessThan(1 << 20);
});

it('a HAR file with bodies that would unpack to far more is read as it is', async () => {
  const place = new Place();
  const entry = (encoding: string, bomb: Buffer): object => ({
    startedDateTime: '2026-01-02T03:04:05.000Z',
    time: 1,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1/mcp',
      httpVersion: 'HTTP/1.1',
      headers: [],
      postData: { mimeType: 'application/json', text: '{"jsonrpc":"2.0","id":1,"method":"ping"}' },
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      headers: [{ name: 'Content-Encoding', value: encoding }],
      content: { size: UNPACKED, mimeType: 'application/json', encoding: 'base64', text: bomb.toString('base64') },
    },
  });
  const entries = Object.entries(BOMBS).map(([encoding, bomb]) => entry(encoding, bomb));
  place.write('x.har', JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries } }));
  const env = { NODE_OPTIONS: `--require ${PEAK}`, PEAK_FILE: place.path('peak.json') };
  for (const args of [
    ['inspect', 'x.har'],
    ['check', 'x.har'],
    ['import', 'x.har', '--to', 'trace', '-o', 'out.jsonl'],
  ]) {
    const { code, stderr } = await place.run(args, { env });
    expect(stderr).not.toMatch(/RangeError|TypeError|heap/);
    expect([0, 1, 3]).toContain(code);
    expect(JSON.parse(place.read('peak.json'))).toMatchObject({
      megabytes: expect.toSatisfy((n: number) => n < MAX_MEGABYTES),
    });
  }
});
