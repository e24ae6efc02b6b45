import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { initialize, initialized, request } from '../../support/link-witness.ts';
import { rawHttpServer } from '../../support/raw-http-server.ts';
import { scriptServer } from '../../support/servers.ts';
import { MAX_BYTES, watchedSession } from './watched-session.ts';

const LONG = 'x'.repeat(MAX_BYTES);

/** Answers every request; the answer to `big` is too long, and has its id at the end, as that of many SDKs. */
const answering = scriptServer(`
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\\n');
    rest = lines.pop();
    for (const line of lines) {
      const { id, method } = JSON.parse(line);
      if (id === undefined) continue;
      const result = method === 'big' ? { text: ${JSON.stringify(LONG)} } : {};
      console.log(JSON.stringify({ result, jsonrpc: '2.0', id }));
    }
  });`);

interface ReceivedAnswer {
  readonly id?: unknown;
  readonly error?: { readonly message: string };
  readonly result?: unknown;
}

/** The answers to requests over stdio, by the id of their request. */
async function answers(session: Awaited<ReturnType<typeof watchedSession>>): Promise<ReceivedAnswer[]> {
  let received = '';
  session.stdout.setEncoding('utf8').on('data', (text: string) => (received += text));
  for (const text of [initialize(0), initialized, request(1, 'big'), request(2, 'ping')]) {
    session.stdin.write(`${text}\n`);
  }
  while (!received.includes('"id":2')) await once(session.stdout, 'data');
  await session.stop();
  return received.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ReceivedAnswer]));
}

describe('a response that is longer than --max-message', () => {
  it.each([true, false])(
    'replaces a response that is too long by an error on stdio only if the session fails closed: %s',
    async (failsClosed) => {
      const session = await watchedSession(
        { listen: 'stdio', command: answering },
        { failsClosed, forbidden: 'tool:x' },
      );
      const big = (await answers(session)).find(({ id }) => id === 1);
      if (failsClosed)
        expect(big?.error?.message).toBe('mcpreel: the response was not forwarded: longer than --max-message');
      else expect(big?.result).toEqual({ text: LONG });
    },
  );

  it.each([true, false])(
    'replaces a response that is too long by an error on an event stream if the session fails closed: %s',
    async (failsClosed) => {
      const { url } = await rawHttpServer((_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(`data: {"result":{"text":"${LONG}"},`);
        response.end('"jsonrpc":"2.0","id":1}\n\n');
      });
      const session = await watchedSession(
        { listen: 'streamable-http', target: url, targetTransport: 'streamable-http' },
        { failsClosed, forbidden: 'tool:x' },
      );
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
      const got = await fetch(session.url, { method: 'POST', headers, body: request(1, 'big') });
      const text = await got.text();
      await session.stop();
      if (failsClosed) expect(text).toContain('"id":1,"error":{"code":-32000');
      expect(text.includes(LONG)).toBe(!failsClosed);
    },
  );

  it('replaces a response that is too long by an error in a bridge to a program, which cannot forward it', async () => {
    const session = await watchedSession(
      { listen: 'streamable-http', command: answering },
      { failsClosed: false, forbidden: 'tool:x' },
    );
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const post = (body: string, id = ''): Promise<Response> =>
      fetch(session.url, { method: 'POST', headers: { ...headers, ...(id && { 'Mcp-Session-Id': id }) }, body });
    const opened = await post(initialize(0));
    await opened.text();
    const text = await (await post(request(1, 'big'), opened.headers.get('mcp-session-id') ?? '')).text();
    await session.stop();
    expect(text).toContain('"id":1,"error"');
    expect(text).toContain('longer than --max-message');
  });

  it('answers a request that is too long from a stdio client of a bridge with its own id', async () => {
    const { url } = await rawHttpServer((_, response) => response.writeHead(202).end());
    const session = await watchedSession(
      { listen: 'stdio', target: url, targetTransport: 'streamable-http' },
      { failsClosed: false, forbidden: 'tool:x' },
    );
    session.stdin.write(`${request(41, 'big', { text: LONG })}\n`);
    const [line] = (await once(session.stdout, 'data')) as [Buffer];
    await session.stop();
    expect(JSON.parse(line.toString())).toMatchObject({ id: 41, error: { code: -32700 } });
  });
});
