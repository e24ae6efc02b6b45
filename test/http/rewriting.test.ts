import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { eventsOf, jsonLines } from '../support/recordings.ts';
import { type Field, fieldOf, type HttpMessage } from './http-message.ts';
import { ask, bytesOf, inChunks, Line, type Sent, withLength } from './oracle.ts';

const METADATA = '/.well-known/oauth-protected-resource/mcp';

function challengeOf({ fields }: HttpMessage): string | undefined {
  return fieldOf(fields, 'www-authenticate');
}

function challenging(line: Line): Sent {
  const value = `Bearer scope="a", resource_metadata="http://${line.server.host}${METADATA}"`;
  return withLength({ start: 'HTTP/1.1 401 Unauthorized', fields: [['WWW-Authenticate', value]] });
}

function metadata(line: Line): string {
  return `{"resource":"${line.server.url}", "authorization_servers":["http://${line.server.host}/as"]}`;
}

const GET_METADATA = ask(`GET ${METADATA} HTTP/1.1`, [
  ['Accept-Encoding', 'gzip, br'],
  ['Accept', 'application/json'],
]);

describe('the OAuth metadata that clients read', () => {
  it('rewrites OAuth metadata to the address that the client uses', async () => {
    const line = await Line.open();
    const own = new URL(line.proxy.url).host;
    const request = { start: 'GET /mcp HTTP/1.1', fields: [['Host', own]] } satisfies Sent;
    const { received: reported } = await line.carry(request, challenging(line));
    expect(challengeOf(reported)).toBe(`Bearer scope="a", resource_metadata="http://${own}${METADATA}"`);

    const answers = [withLength, (sent: Sent) => inChunks(sent, 7)].map((framed) =>
      framed({ start: 'HTTP/1.1 200 OK', fields: [['Content-Type', 'application/json']], body: metadata(line) }),
    );
    for (const answer of answers) {
      const read = await line.carry(
        { ...GET_METADATA, fields: [['Host', own], ...(GET_METADATA.fields ?? []).slice(1)] },
        answer,
      );
      expect(read.received.body.toString()).toBe(metadata(line).replace(line.server.url, `http://${own}/mcp`));
      // mcpreel could not rewrite a compressed body.
      expect(fieldOf(read.requested.fields, 'accept-encoding')).toBeUndefined();
    }
    // The recording holds what the target sent.
    await line.proxy.stop();
    expect(line.place.read('trace.jsonl')).toContain(`resource_metadata=\\"http://${line.server.host}${METADATA}\\"`);
  });

  it('leaves metadata unchanged if it names another host, is not metadata, or is encoded', async () => {
    const line = await Line.open();
    const fields: Field[] = [['Content-Type', 'application/json']];
    const request = ask(`GET ${METADATA} HTTP/1.1`);
    for (const body of ['{"resource":"https://elsewhere.example/mcp"}', 'no JSON', '', `["${line.server.url}"]`]) {
      const { received: reported } = await line.carry(request, withLength({ start: 'HTTP/1.1 200 OK', fields, body }));
      expect(reported.body.toString()).toBe(body);
    }
    const body = zlib.gzipSync(metadata(line));
    await line.expectSame(
      request,
      withLength({ start: 'HTTP/1.1 200 OK', fields: [...fields, ['Content-Encoding', 'gzip']], body }),
    );
    await line.expectSame(request, withLength({ start: 'HTTP/1.1 404 Not Found', fields, body: metadata(line) }));
  });

  it('leaves metadata unchanged with --no-oauth-rewrite', async () => {
    const line = await Line.open(['--no-oauth-rewrite']);
    await line.expectSame(ask('GET /mcp HTTP/1.1'), challenging(line));
    await line.expectSame(
      GET_METADATA,
      withLength({ start: 'HTTP/1.1 200 OK', fields: [['Content-Type', 'application/json']], body: metadata(line) }),
    );
  });

  it('the authorization challenge is visible when the recording is imported', async () => {
    const line = await Line.open();
    const call = '{"jsonrpc":"2.0","id":1,"method":"initialize"}';
    const post = withLength(ask('POST /mcp HTTP/1.1', [['Content-Type', 'application/json']], call));
    await line.carry(post, challenging(line));
    await line.proxy.stop();
    const outcome = await line.place.run(['import', 'trace.jsonl', '--out-trace', 'normalised.jsonl']);
    expect(outcome.code).toBe(0);
    expect(jsonLines(line.place.read('normalised.jsonl'))[0]).toMatchObject({
      meta: {
        mcp: {
          authorization_discovery: {
            visible: true,
            source_kind: 'www_authenticate',
            resource_metadata_visible: true,
            scope_challenge_visible: true,
          },
        },
      },
    });
  });
});

describe('the endpoint event of the HTTP+SSE transport', () => {
  const GET = ask('GET /sse HTTP/1.1', [['Accept', 'text/event-stream']]);
  const STREAM: Sent = { start: 'HTTP/1.1 200 OK', fields: [['Content-Type', 'text/event-stream']] };

  it.each([
    ['a path', () => '/messages?sessionId=1', () => '/messages?sessionId=1'],
    [
      'an address of the target',
      (line: Line) => `http://${line.server.host}/m?s=1#x`,
      () => 'http://localhost/m?s=1#x',
    ],
    ['an address elsewhere', () => 'https://elsewhere.example/m', () => 'https://elsewhere.example/m'],
  ])('rewrites an endpoint address only if it names the target in full: %s', async (_, sent, expected) => {
    const line = await Line.open(['--transport', 'sse']);
    const body = (address: string): string =>
      `: hi\r\n\r\nevent: endpoint\r\ndata: ${address}\r\n\r\n: more http://\r\n\r\n`;
    const { received: reported } = await line.carry(GET, inChunks({ ...STREAM, body: body(sent(line)) }, 5));
    expect(reported.body.toString()).toBe(body(expected()));
    const { trace } = await line.proxy.stop();
    expect(eventsOf(trace, 'http.event')).toMatchObject([{ event: 'endpoint', data: sent(line) }]);
  });

  it('forwards later events without delay', async () => {
    const line = await Line.open(['--transport', 'sse']);
    await line.client.write(bytesOf(GET));
    const target = await line.server.requested();
    await target.message();
    await target.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n');
    await line.client.until('\r\n\r\n');
    for (const event of ['event: endpoint\ndata: /m\n\n', 'data: {"jsonrpc":', '"2.0"}\n', '\n', ': idle\n\n']) {
      const chunk = `${event.length.toString(16)}\r\n${event}\r\n`;
      await target.write(chunk);
      expect(await line.client.until(chunk)).toBe(chunk);
    }
  });
});
