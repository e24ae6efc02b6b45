import { fileURLToPath } from 'node:url';
import { type ClientOptions, Client as V2Client, type Transport as V2Transport } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport as V1Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { HttpTarget } from '../../src/transport/http/http-target.ts';
import { openSseLink } from '../../src/transport/outbound/sse-link.ts';
import { openStdioLink } from '../../src/transport/outbound/stdio-link.ts';
import { openStreamableLink } from '../../src/transport/outbound/streamable-link.ts';
import { startTarget } from '../../src/transport/process/target-process.ts';
import { converse } from '../http/rich-talk.ts';
import { startConformanceServer } from '../support/conformance-server.ts';
import { linkTo, type OpenHttpLink } from '../support/http-links.ts';
import { startEverything } from '../support/http-servers.ts';
import { LinkTransport, type OpenForWitness } from '../support/link-transport.ts';
import { initialize, initialized, modernRequest, request } from '../support/link-witness.ts';
import { inLongRuns } from '../support/long-run.ts';
import type { Connected } from '../support/sdk-clients.ts';
import { bothErasServer } from '../support/servers.ts';
import { tap } from '../support/tap.ts';

const about = { name: 'test-client', version: '1.0.0' };
const options = { capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} } };
const roots = { roots: [{ uri: 'file:///tmp/é', name: 'a root' }] };
const sample = { role: 'assistant', model: 'none', content: { type: 'text', text: 'Hello.' } } as const;
const filledIn = { action: 'accept', content: { name: 'Zoë', check: true } } as const;
const anything = z.looseObject({});

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

type Talk = Pick<Connected, 'client' | 'call' | 'request' | 'noted'>;

async function v1Client(transport: LinkTransport): Promise<Talk> {
  const client = new V1Client(about, options);
  client.setRequestHandler(ListRootsRequestSchema, () => roots);
  client.setRequestHandler(CreateMessageRequestSchema, () => sample);
  client.setRequestHandler(ElicitRequestSchema, () => filledIn);
  const noted = tap(transport);
  await client.connect(transport as unknown as V1Transport);
  return {
    client,
    call: (name, args, more) => client.callTool({ name, arguments: args }, undefined, more),
    request: (method, params) => client.request({ method, params }, anything),
    noted,
  };
}

async function v2Client(transport: LinkTransport, more: ClientOptions = {}): Promise<Talk> {
  const client = new V2Client(about, { ...options, ...more });
  client.setRequestHandler('roots/list', () => roots);
  client.setRequestHandler('sampling/createMessage', () => sample);
  client.setRequestHandler('elicitation/create', () => filledIn);
  const noted = tap(transport);
  await client.connect(transport as unknown as V2Transport);
  return {
    client,
    call: (name, args, callOptions) => client.callTool({ name, arguments: args }, callOptions),
    request: (method, params) => client.request({ method, params }, anything),
    noted,
  };
}

function overStdio(command: readonly string[]): OpenForWitness {
  const { env, platform, kill } = process;
  return (witness) =>
    openStdioLink({ start: () => startTarget({ command, env, cwd: undefined, platform, kill }) }, witness);
}

function overHttp(open: OpenHttpLink, url: string): OpenForWitness {
  const target = new HttpTarget({ url: new URL(url) });
  return (witness) => open({ target, headers: [], nowMs: () => performance.now() }, witness);
}

type Open = () => Promise<OpenForWitness>;
const stdio: Open = async () => overStdio([process.execPath, everything, 'stdio']);
const streamable: Open = async () => overHttp(openStreamableLink, await startEverything('streamable-http'));
const sse: Open = async () => overHttp(openSseLink, await startEverything('sse'));

describe('a client of server-everything over a link', () => {
  const rows = [
    ['v2', 'stdio', v2Client, stdio],
    ['v1', 'Streamable HTTP', v1Client, streamable],
    ['v1', 'HTTP+SSE', v1Client, sse],
  ] as const;
  it.each(inLongRuns([...rows, ['v2', 'Streamable HTTP', v2Client, streamable]] as const, rows))(
    'a client of SDK %s over %s gets the responses it expects',
    async (_version, _kind, connect, open) => {
      const transport = new LinkTransport(await open());
      onTestFinished(() => transport.close());
      const talk = await connect(transport);
      await converse(talk as Connected);
      await talk.client.close();
      expect(transport.witness.ends).toEqual([undefined]);
      expect(transport.witness.messages.filter(({ origin }) => origin.isOwn)).toEqual([]);
      expect(transport.witness.exchanges.filter(({ error }) => error !== undefined)).toEqual([]);
    },
  );
});

async function conformanceServer(): Promise<URL> {
  const { url, stop } = await startConformanceServer();
  onTestFinished(async () => void (await stop()));
  return new URL(url);
}

describe('a link to a server of both eras', () => {
  it('serves a modern client of SDK v2', async () => {
    const { href } = await conformanceServer();
    const transport = new LinkTransport(overHttp(openStreamableLink, href));
    onTestFinished(() => transport.close());
    const { call } = await v2Client(transport, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    expect(await call('test_simple_text', {})).toMatchObject({ content: [{ type: 'text' }] });
    expect(transport.witness.exchanges.map(({ status }) => status)).not.toContain(400);
  });

  it('repeats in headers the arguments that tools/list has marked', async () => {
    const { link, witness } = linkTo(openStreamableLink, await conformanceServer());
    link.send(modernRequest(1, 'tools/list'));
    await witness.answerTo(1);
    link.send(modernRequest(2, 'tools/call', { name: 'test_header_argument', arguments: { region: 'Zürich' } }));
    expect((await witness.answerTo(2)).text).toContain('Looked in Zürich.');
    const { requestHeaders } = await witness.exchange(({ exchange }) => exchange === 2);
    expect(requestHeaders).toContain('Mcp-Param-Region');
  });

  it('receives the response to a call whose stream was closed', async () => {
    const { link, witness } = linkTo(openStreamableLink, await conformanceServer());
    link.send(initialize(0));
    link.send(initialized);
    link.send(request(1, 'tools/call', { name: 'test_reconnection', arguments: {} }));
    const { text, origin } = await witness.answerTo(1);
    expect(text).toContain('Answered after the stream was closed.');
    expect(origin).toMatchObject({ requestId: '1' });
    const resumed = await witness.exchange(({ requestHeaders }) => requestHeaders.includes('Last-Event-ID'));
    expect(resumed).toMatchObject({ method: 'GET', status: 200, error: undefined, exchange: origin.exchange });
    await link.close();
    expect(witness.exchanges.at(-1)).toMatchObject({ method: 'DELETE', status: 200 });
  });

  it('cancels a modern call by closing its stream', async () => {
    const { link, witness } = linkTo(openStreamableLink, await conformanceServer());
    link.send(modernRequest(1, 'tools/call', { name: 'test_wait', arguments: {} }, { progressToken: 1 }));
    await witness.sent('notifications/progress');
    link.abandon('1');
    expect(await witness.exchange(() => true)).toMatchObject({ status: 200, error: undefined });
    link.send(modernRequest(2, 'tools/list'));
    await witness.answerTo(2);
  });

  it('reports that a session is gone, with the id of the request', async () => {
    const url = await conformanceServer();
    const first = linkTo(openStreamableLink, url);
    first.link.send(initialize(0));
    await first.witness.answerTo(0);
    const { exchanges } = first.witness;
    await first.witness.until(() => exchanges[0]);
    const headers = exchanges[0]?.responseHeaders ?? [];
    const session = headers[headers.findIndex((name) => name.toLowerCase() === 'mcp-session-id') + 1] ?? '';
    const ended = linkTo(openStreamableLink, url, { headers: [['Mcp-Session-Id', session]] });
    await first.link.close();
    ended.link.send(request(7, 'tools/list'));
    const { text } = await ended.witness.answerTo(7);
    expect(text).toBe('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":7}');
  });
});

it('serves a modern client of SDK v2 over stdio', async () => {
  const transport = new LinkTransport(overStdio(bothErasServer));
  onTestFinished(() => transport.close());
  const { call } = await v2Client(transport, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  expect(await call('echo', { text: 'Hello' })).toMatchObject({ content: [{ text: 'Hello' }] });
});
