import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { type HttpProxy, startProxy } from '../support/http-proxy.ts';
import { Place } from '../support/place.ts';
import { answerAfter, type Facts, requestAfter } from './declared.ts';
import { chunked, type Field, fieldOf, type HttpMessage, headText } from './http-message.ts';
import { RawPeer, RawServer } from './raw-peers.ts';

/** A message to send: its fields define the framing of its body, and nothing is added to them. */
export interface Sent {
  readonly start: string;
  readonly fields?: readonly Field[];
  readonly body?: Uint8Array | string;
  readonly trailers?: readonly Field[];
  /** The maximum chunk size, for chunked bodies. */
  readonly chunkBytes?: number;
  /** Whether the connection ends with the message. */
  readonly ends?: boolean;
}

/** Runs mcpreel between a client and a server that the test controls byte by byte. */
export class Line {
  readonly place: Place;
  readonly server: RawServer;
  readonly proxy: HttpProxy;
  readonly client: RawPeer;

  private constructor(place: Place, server: RawServer, proxy: HttpProxy, client: RawPeer) {
    this.place = place;
    this.server = server;
    this.proxy = proxy;
    this.client = client;
  }

  static async open(flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Line> {
    const place = new Place();
    const server = await RawServer.open();
    const proxy = await startProxy(place, ['--target-url', server.url, ...flags], 'trace.jsonl', env);
    return new Line(place, server, proxy, await RawPeer.to(proxy.url));
  }

  /** Connects another client. */
  connect(): Promise<RawPeer> {
    return RawPeer.to(this.proxy.url);
  }

  /** Sends a request and its response, and returns both as received. */
  async carry(
    request: Sent,
    answer: Sent,
    client: RawPeer = this.client,
  ): Promise<{ readonly requested: HttpMessage; readonly received: HttpMessage }> {
    const sent = client.write(bytesOf(request));
    const target = await this.server.requested();
    const requested = await target.message();
    await sent;
    const answered = target.write(bytesOf(answer));
    if (answer.ends) {
      await answered;
      target.socket.end();
    }
    return { requested: requested, received: await client.message(request.start.startsWith('HEAD ')) };
  }

  /** Sends a request and its response, and expects both to arrive unchanged except for declared differences. */
  async expectSame(request: Sent, answer: Sent, client: RawPeer = this.client): Promise<void> {
    const { requested, received: reported } = await this.carry(request, answer, client);
    const facts: Facts = {
      host: this.server.host,
      clientKnowsChunks: !request.start.endsWith('HTTP/1.0'),
      keepsClient: keepsClient(request),
    };
    expect(plain(requested)).toEqual(plain(requestAfter(messageOf(request), facts)));
    const isHead = request.start.startsWith('HEAD ');
    expect(plain(reported)).toEqual(plain(answerAfter(messageOf(answer, isHead), facts)));
  }
}

export const ask = (start: string, fields: readonly Field[] = [], body: string | Uint8Array = ''): Sent => ({
  start,
  fields: [['Host', 'localhost'], ...fields],
  body,
});

export const OK: Sent = { start: 'HTTP/1.1 200 OK', fields: [['Content-Length', '2']], body: 'ok' };

export function withLength(sent: Sent): Sent {
  const length = Buffer.byteLength(sent.body ?? '', 'latin1');
  const bytes = typeof sent.body === 'string' || sent.body === undefined ? length : sent.body.length;
  return { ...sent, fields: [...(sent.fields ?? []), ['Content-Length', String(bytes)]] };
}

export function inChunks(sent: Sent, chunkBytes: number, trailers: readonly Field[] = []): Sent {
  return { ...sent, chunkBytes, trailers, fields: [...(sent.fields ?? []), ['Transfer-Encoding', 'chunked']] };
}

export function bytesOf({ start, fields = [], body = '', chunkBytes, trailers = [] }: Sent): Buffer {
  const bytes = bufferOf(body);
  const framed = chunkBytes === undefined ? bytes : chunked(bytes, chunkBytes, trailers);
  return Buffer.concat([Buffer.from(headText(start, fields), 'latin1'), framed]);
}

function messageOf({ start, fields = [], body = '', trailers = [] }: Sent, isHead = false): HttpMessage {
  return { start, fields, body: isHead ? Buffer.alloc(0) : bufferOf(body), trailers };
}

function bufferOf(body: string | Uint8Array): Buffer {
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : Buffer.from(body);
}

function keepsClient({ start, fields = [] }: Sent): boolean {
  const connection = fieldOf(fields, 'connection')?.toLowerCase();
  return start.endsWith('HTTP/1.0') ? connection === 'keep-alive' : connection !== 'close';
}

/** The bytes of the head, and the body in a form whose diff does not print megabytes. */
function plain({ start, fields, body, trailers }: HttpMessage): unknown {
  const shown = body.length > 4096 ? `${body.length} bytes, ${hash(body)}` : body.toString('latin1');
  return { head: headText(start, fields), body: shown, trailers };
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
