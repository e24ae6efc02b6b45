import { request } from 'node:http';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rawHttpServer } from '../../support/raw-http-server.ts';
import { CALL, HIDDEN_CALLS, type HiddenCall } from './hidden-calls.ts';
import { type Outcome, outcomeOf, watchedSession } from './watched-session.ts';

interface HiddenBody extends HiddenCall {
  readonly headers?: readonly string[];
  readonly method?: string;
}

const JSON_TYPE = ['Content-Type', 'application/json'];

function encoded(encoding: string, bytes: Buffer, isRead = true): HiddenBody {
  const headers = [...JSON_TYPE, ...encoding.split(';').flatMap((value) => ['Content-Encoding', value])];
  return { title: `encoded with ${encoding}`, bytes, isRead, headers };
}

function typed(type: string): HiddenBody {
  return { title: `as ${type}`, bytes: Buffer.from(CALL), isRead: true, headers: ['Content-Type', type] };
}

/** A zstd frame with one raw block. */
function zstdOf(text: string): Buffer {
  const header = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, ((text.length << 3) & 0xff) | 1, text.length >> 5, 0];
  return Buffer.concat([Buffer.from(header), Buffer.from(text)]);
}

const zipped = zlib.gzipSync(CALL);
const long = zlib.gzipSync(CALL.replace('}}', `,"x":"${'x'.repeat(9000)}"}}`));

const ENCODED: readonly HiddenBody[] = [
  encoded('gzip', zipped),
  encoded('X-GZip', zipped),
  encoded('deflate', zlib.deflateSync(CALL)),
  { ...encoded('deflate', zlib.deflateRawSync(CALL)), title: 'encoded with raw deflate' },
  encoded('br', zlib.brotliCompressSync(CALL)),
  encoded('zstd', zstdOf(CALL)),
  encoded('gzip, gzip', zlib.gzipSync(zipped)),
  { ...encoded('gzip;br', zlib.brotliCompressSync(zipped)), title: 'encoded as two headers say' },
  encoded('rot13', Buffer.from(CALL), false),
  { ...encoded('gzip', Buffer.from(CALL), false), title: 'not encoded as its header says' },
  { ...encoded('gzip', zipped.subarray(0, -6), false), title: 'encoded and cut off' },
  { ...encoded('gzip', long, false), title: 'encoded and too long when it is decoded' },
];

const REQUESTS: readonly HiddenBody[] = [
  ...HIDDEN_CALLS,
  ...ENCODED,
  ...['text/html', 'application/octet-stream', 'application/x-www-form-urlencoded', 'nonsense'].map(typed),
  { ...typed(''), title: 'without a type', headers: [] },
  {
    ...typed(''),
    title: 'without jsonrpc',
    headers: JSON_TYPE,
    bytes: Buffer.from(CALL.replace('"jsonrpc":"2.0",', '')),
  },
  { ...typed('application/json'), title: 'in a PUT', method: 'PUT' },
  { ...typed('application/json'), title: 'in a GET', method: 'GET' },
  { ...typed(''), title: 'in chunks', headers: [...JSON_TYPE, 'Transfer-Encoding', 'chunked', 'Trailer', 'X-End'] },
];

const expected = ({ isRead, isDoubted }: HiddenCall, failsClosed: boolean): Outcome => {
  if (isRead && !(failsClosed && isDoubted === true)) return 'ruled';
  return failsClosed ? 'refused' : 'forwarded and marked';
};

/** Sends a request whose headers and bytes are as given. Resolves with the text of the response. */
function asked(url: string, { bytes, headers = JSON_TYPE, method = 'POST' }: HiddenBody): Promise<string> {
  const isChunked = headers.includes('chunked');
  const framing = isChunked ? [] : ['Content-Length', String(bytes.length)];
  return new Promise((resolve) => {
    const all = ['Host', new URL(url).host, ...headers, ...framing];
    const asking = request(url, { method, agent: false, headers: all as never });
    asking.on('error', () => resolve('cut off'));
    asking.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (chunk: Buffer) => parts.push(chunk));
      response.on('error', () => undefined);
      response.on('close', () => resolve(Buffer.concat(parts).toString('latin1')));
    });
    if (isChunked) asking.addTrailers({ 'X-End': CALL });
    asking.end(bytes);
  });
}

describe.each([true, false])('a request body that hides a forbidden call, with fail-closed %s', (failsClosed) => {
  it.each(REQUESTS)('applies rules to the request body, refuses it or marks it: $title', async (body) => {
    const { url, requests } = await rawHttpServer((_, response) => response.writeHead(202).end());
    const session = await watchedSession(
      { listen: 'streamable-http', target: url, targetTransport: 'streamable-http' },
      { failsClosed, forbidden: 'tool:delete_all dir:>' },
    );
    await asked(session.url, body);
    const isThrough = requests.some((received) => received.body === body.bytes.toString());
    const outcome = outcomeOf(await session.stop(), isThrough);
    expect(outcome).toBe(expected(body, failsClosed));
  });
});

const RESPONSES: readonly HiddenBody[] = [
  ...HIDDEN_CALLS,
  ...ENCODED,
  ...['text/html', 'text/plain', 'Application/JSON; charset=utf-8', 'x/y, application/json'].map(typed),
  { ...typed(''), title: 'without a type', headers: [] },
];

describe.each([true, false])('a response body that hides a forbidden call, with fail-closed %s', (failsClosed) => {
  it.each(RESPONSES)('applies rules to the response body, refuses it or marks it: $title', async (body) => {
    const { bytes, headers = JSON_TYPE } = body;
    const { url } = await rawHttpServer((_, response) => response.writeHead(200, headers as string[]).end(bytes));
    const session = await watchedSession(
      { listen: 'streamable-http', target: url, targetTransport: 'streamable-http' },
      { failsClosed, forbidden: 'tool:delete_all dir:<' },
    );
    const bodyOf = { title: '', isRead: true, bytes: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}') };
    const response = Promise.race([asked(session.url, bodyOf), session.stopped]);
    const got = await response;
    const outcome = outcomeOf(await session.stop(), got.length > 0 && Buffer.from(got, 'latin1').equals(bytes));
    expect(outcome).toBe(expected(body, failsClosed));
  });
});
