import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer, Server, type Tool } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { modernHeaders, ToolHeaders } from './modern-headers.ts';

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const about = { name: 'test', version: '1.0.0' };
const of = (type: string, header?: unknown, more: object = {}): object => ({
  type,
  ...(header !== undefined && { 'x-mcp-header': header }),
  ...more,
});
const tool = (name: string, properties: object, more: object = {}) => ({
  name,
  inputSchema: { type: 'object' as const, properties, ...more },
});

const TOOLS = [
  tool('marked', {
    text: of('string', 'Text'),
    count: of('integer', 'X-Count'),
    flag: of('boolean', 'flag'),
    plain: of('string'),
    inner: of('object', undefined, {
      properties: { deep: of('object', undefined, { properties: { er: of('string', 'Er') } }) },
    }),
  }),
  tool('plain', { text: of('string') }),
  tool('two of one name', { a: of('string', 'A'), b: of('string', 'a') }),
  tool('no token', { a: of('string', 'A B') }),
  tool('no name', { a: of('string', '') }),
  tool('no scalar', { a: of('object', 'A') }),
  tool('in a list', { text: of('string', 'Text'), a: { type: 'array', items: of('string', 'A') } }),
  tool('in a choice', { text: of('string', 'Text'), a: { anyOf: [{ properties: { b: of('string', 'A') } }] } }),
  tool('in a definition', { text: of('string', 'Text') }, { $defs: { a: of('string', 'A') } }),
  tool('at the root', { text: of('string', 'Text') }, { 'x-mcp-header': 'Root' }),
];
const LISTED = `{"jsonrpc":"2.0","id":1,"result":${JSON.stringify({ tools: TOOLS })}}`;

const SAFE_STRINGS = [
  'plain',
  'with space',
  'tab\tinside',
  '~!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}',
  '=?base64?YQ==',
  'a?=',
];
const SPACED_STRINGS = ['', ' ', ' before', 'after ', '\ttab', 'a\nb', 'a\r\nb', '\u00a0'];
const OTHER_STRINGS = ['é', '日本語', '😀', '\ud800', '\u0000', '\u007f', '=?base64?YQ==?=', '=?base64??='];
const STRINGS = [...SAFE_STRINGS, ...SPACED_STRINGS, ...OTHER_STRINGS];
const SCALARS = [0, -0, 1, -1, 1.5, 1e21, 1e-7, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), true, false, null];

let server: HttpServer | undefined;

// Both sides of the SDK warn about tools with invalid marks.
beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());

afterEach(async () => {
  vi.restoreAllMocks();
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
});

interface Post {
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** An SDK server that records the requests it receives. */
async function serve(makeServer: () => Server | McpServer): Promise<{ url: URL; posts: Post[] }> {
  const posts: Post[] = [];
  const handler = createMcpHandler(makeServer);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readText(request);
    posts.push({ text, headers: request.headers });
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const answered = await handler.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: text }));
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text());
  };
  server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`), posts };
}

function listingServer(): Server {
  const made = new Server(about, { capabilities: { tools: {}, prompts: {}, resources: {} } });
  made.setRequestHandler('tools/list', () => ({ tools: JSON.parse(JSON.stringify(TOOLS)) as Tool[] }));
  made.setRequestHandler('tools/call', () => ({ content: [] }));
  made.setRequestHandler('prompts/get', () => ({ messages: [] }));
  made.setRequestHandler('resources/read', () => ({ contents: [] }));
  return made;
}

const learnt = (text: string): ToolHeaders => {
  const headers = new ToolHeaders();
  headers.learn(text);
  return headers;
};
const lowerCase = (headers: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
const call = (params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: META } });

describe('the headers of a message', () => {
  it('builds the same headers as an SDK client', async () => {
    const { url, posts } = await serve(listingServer);
    const client = new Client(about, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new StreamableHTTPClientTransport(url));
    await client.listTools();
    for (const text of STRINGS) {
      await client.callTool({ name: 'marked', arguments: { text, plain: text, inner: { deep: { er: text } } } });
      // The server may refuse these: it has no tasks, and a lone surrogate has no UTF-8 form.
      await Promise.allSettled([
        client.readResource({ uri: text }),
        client.getPrompt({ name: text }),
        client.request({ method: 'tasks/get', params: { taskId: text } }, z.unknown()),
      ]);
    }
    for (const value of [...SCALARS, [], {}, ['a']]) {
      await client.callTool({ name: 'marked', arguments: { text: value, count: value, flag: value, inner: value } });
      await client.callTool({ name: 'marked', arguments: { inner: { deep: value } } });
    }
    await client.callTool({ name: 'marked' });
    for (const { name } of TOOLS) await client.callTool({ name, arguments: { text: 'a', a: 'b', b: 'c' } });
    await client.close();

    const tools = learnt(LISTED);
    for (const { text, headers } of posts) {
      const sent = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
      const made = modernHeaders(text, (name) => tools.headersFor(name));
      expect([text, lowerCase(made)]).toEqual([text, Object.fromEntries(sent)]);
    }
    const names = posts.flatMap(({ headers }) => Object.keys(headers));
    expect(names.filter((name) => name === 'mcp-param-er').length).toBe(STRINGS.length);
    expect(posts.length).toBeGreaterThan(4 * STRINGS.length);
  });

  it('builds headers that an SDK server accepts, even for annotations that SDK clients refuse', async () => {
    const inputSchema = z.object({ weight: z.number().meta({ 'x-mcp-header': 'Weight' }) });
    const { url } = await serve(() => {
      const made = new McpServer(about);
      made.registerTool('weigh', { inputSchema }, () => ({ content: [] }));
      return made;
    });
    const post = async (text: string, headers: [string, string][]): Promise<string> => {
      const accept = 'application/json, text/event-stream';
      const common = { 'content-type': 'application/json', accept };
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...common, ...Object.fromEntries(headers) },
        body: text,
      });
      return answer.text();
    };
    const meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': {} };
    const request = (method: string, params: object): string =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });
    const list = request('tools/list', {});
    const listed = await post(list, modernHeaders(list));
    const tools = learnt(/\{.*\}/s.exec(listed)?.[0] ?? '');
    const weigh = request('tools/call', { name: 'weigh', arguments: { weight: 1.5 } });
    expect(await post(weigh, modernHeaders(weigh))).toContain('-32020');
    expect(
      await post(
        weigh,
        modernHeaders(weigh, (name) => tools.headersFor(name)),
      ),
    ).toContain('"content":[]');
  });

  it('adds no headers to a message that names no protocol revision', () => {
    expect(modernHeaders('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}')).toEqual([]);
    expect(modernHeaders('{"jsonrpc":"2.0","id":1,"result":{}}')).toEqual([]);
    expect(modernHeaders('hello')).toEqual([]);
  });

  it('encodes a method that is not valid in a header', () => {
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'é\n', params: { _meta: META } });
    expect(modernHeaders(text)).toEqual([
      ['MCP-Protocol-Version', '2026-07-28'],
      ['Mcp-Method', '=?base64?w6kK?='],
    ]);
  });

  it('omits an integer that a server would parse with other digits', () => {
    const text = call({ name: 'marked', arguments: { count: 0 } }).replace('"count":0', '"count":12345678901234567890');
    expect(lowerCase(modernHeaders(text, (name) => learnt(LISTED).headersFor(name)))).not.toHaveProperty(
      'mcp-param-x-count',
    );
  });
});

describe('the header annotations of tools', () => {
  it('collects annotations across pages, and from a bare result', () => {
    const tools = learnt(`{"tools":${JSON.stringify(TOOLS.slice(0, 1))}}`);
    tools.learn(JSON.stringify({ tools: [tool('other', { a: of('string', 'A') })] }));
    expect(tools.headersFor('marked').map(({ name }) => name)).toEqual(['Text', 'X-Count', 'flag', 'Er']);
    expect(tools.headersFor('other')).toEqual([{ name: 'A', path: ['a'] }]);
    expect(tools.headersFor('constructor')).toEqual([]);
  });

  it('removes the annotations of a tool that is listed again without them', () => {
    const tools = learnt(LISTED);
    tools.learn(JSON.stringify({ tools: [tool('marked', {})] }));
    expect(tools.headersFor('marked')).toEqual([]);
  });

  it('reads very deep and very wide schemas, and ignores any other text', () => {
    const deep = `${'{"type":"object","properties":{"a":'.repeat(20_000)}{"type":"string","x-mcp-header":"A"}${'}}'.repeat(20_000)}`;
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 130_000 }, (_, i) => [`p${i}`, of('string')])));
    const tools = learnt(
      `{"tools":[{"name":"deep","inputSchema":${deep}},{"name":"wide","inputSchema":{"properties":{"a":{"type":"string","x-mcp-header":"A"},"w":{"properties":${wide}}}}}]}`,
    );
    expect(tools.headersFor('deep')).toEqual([]);
    expect(tools.headersFor('wide')).toEqual([{ name: 'A', path: ['a'] }]);
    for (const text of [
      '',
      'x-mcp-header',
      '["x-mcp-header"]',
      '{"tools":"x-mcp-header"}',
      '{"tools":["x-mcp-header",{}]}',
    ]) {
      expect(() => tools.learn(text)).not.toThrow();
    }
  });
});
