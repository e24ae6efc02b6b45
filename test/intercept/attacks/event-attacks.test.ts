import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rawHttpServer } from '../../support/raw-http-server.ts';
import { MAX_BYTES, type Outcome, outcomeOf, watchedSession } from './watched-session.ts';

const EVIL = '{"jsonrpc":"2.0","method":"notifications/evil"}';
const FINE = '{"jsonrpc":"2.0","method":"notifications/fine"}';
const LAST = `data: ${FINE}\n\n`;
const STREAM = { 'Content-Type': 'text/event-stream' };

interface HiddenEvent {
  readonly title: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isRead: boolean;
  readonly isDoubted?: boolean;
}

const read = (title: string, body: string | Buffer, headers?: HiddenEvent['headers']): HiddenEvent => ({
  title,
  body,
  isRead: true,
  ...(headers && { headers: { ...STREAM, ...headers } }),
});
const unread = (...given: Parameters<typeof read>): HiddenEvent => ({ ...read(...given), isRead: false });
const plain = `data: ${EVIL}\n\n${LAST}`;

const EVENTS: readonly HiddenEvent[] = [
  read('plainly', plain),
  read('on several data lines', `data: ${EVIL.replaceAll(',', ',\ndata:')}\n\n${LAST}`),
  read('between carriage returns', `data: ${EVIL}\r\r${LAST}`),
  read('behind a byte order mark', `\uFEFF${plain}`),
  read('with a byte order mark in its data', `data: \uFEFF${EVIL}\n\n${LAST}`),
  read('in a batch', `data: [1,${EVIL}]\n\n${LAST}`),
  read('under another event name', `event: other\n${plain}`),
  read('behind a comment', `: hi\n${plain}`),
  read('without a blank line at the end', `${LAST}data: ${EVIL}\n`),
  read('without an end', `${LAST}data: ${EVIL}`),
  read('without jsonrpc', `data: ${EVIL.replace('"jsonrpc":"2.0",', '')}\n\n${LAST}`),
  read('encoded with gzip', zlib.gzipSync(plain), { 'Content-Encoding': 'gzip' }),
  read('encoded with br', zlib.brotliCompressSync(plain), { 'Content-Encoding': 'br' }),
  read('under a type in capitals', plain, { 'Content-Type': 'TEXT/EVENT-STREAM; charset=utf-8' }),
  read('under a type that only contains the right one', plain, { 'Content-Type': 'x/y, text/event-stream' }),
  { ...read('with invalid UTF-8', Buffer.from(plain.replace('"}', '","x":"\xff"}'), 'latin1')), isDoubted: true },
  unread('without JSON', `data: ${EVIL.replace('}', ',}')}\n\n${LAST}`),
  unread('in UTF-16', Buffer.concat([Buffer.from(plain, 'utf16le')])),
  unread('in an event that is too long', `data: ${EVIL.replace('}', `,"x":"${'x'.repeat(MAX_BYTES)}"}`)}\n\n${LAST}`),
  unread('in a comment with another line end', `: \u2028data: ${EVIL}\u2028\u2028\n\n${LAST}`),
  unread('in an id with another line end', `id: 1\u2028data: ${EVIL}\u2028\u2028\n\n${LAST}`),
  unread('behind a second byte order mark', `: \n\uFEFFdata: ${EVIL}\n\n${LAST}`),
  unread('in an unknown encoding', plain, { 'Content-Encoding': 'rot13' }),
];

describe.each(['sse', 'streamable-http'] as const)('an event over %s that hides a forbidden message', (transport) => {
  it.each(EVENTS.flatMap((event) => [true, false].map((failsClosed) => ({ ...event, failsClosed }))))(
    'applies rules to the event, refuses it or marks it: $title, with fail-closed $failsClosed',
    async ({ body, headers = STREAM, isRead, isDoubted, failsClosed }) => {
      const { url } = await rawHttpServer((_, response) => response.writeHead(200, headers).end(body));
      const session = await watchedSession(
        { listen: transport, target: url, targetTransport: transport },
        { failsClosed, forbidden: 'method:notifications/evil' },
      );
      const response = await fetch(session.url, { headers: { Accept: 'text/event-stream' } }).catch(() => undefined);
      const bytes = await response?.arrayBuffer().catch(() => undefined);
      const got = bytes === undefined ? '' : Buffer.from(bytes).toString('latin1');
      const outcome = outcomeOf(await session.stop(), got.replaceAll('\0', '').includes('notifications/evil'));
      const isRuled = isRead && !(failsClosed && isDoubted === true);
      const otherwise: Outcome = failsClosed ? 'refused' : 'forwarded and marked';
      expect(outcome).toBe(isRuled ? 'ruled' : otherwise);
    },
  );
});
