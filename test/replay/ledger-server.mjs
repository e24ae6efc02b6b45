// An SDK v1 server whose cursors, handles, addresses and tasks have new names in every run. Its arguments are the
// transport (`stdio`, `sse` or `streamable-http`) and `mutated` for a version with four changes.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const [transport, version] = process.argv.slice(2);
const isMutated = version === 'mutated';
const Anything = z.looseObject({});
const inputSchema = { type: 'object' };
const NAMES = ['open', 'put', 'get', 'ask', 'roots', 'watch', isMutated ? 'slower' : 'slow'];
const text = (said) => ({ content: [{ type: 'text', text: said }] });

function build() {
  const server = new Server(
    { name: 'ledger', version: '1.0.0' },
    { capabilities: { tools: {}, resources: { subscribe: true } } },
  );
  const values = new Map();
  const cursors = new Map();
  const tools = {
    open: ({ value }) => {
      const uri = `ledger://${randomUUID()}/${Math.random().toString(36).slice(2, 10)}`;
      values.set(uri, value);
      const handle = `h${Math.random().toString(36).slice(2, 10)}0`;
      values.set(handle, value);
      return { content: [{ type: 'resource_link', uri, name: 'ledger' }, ...text(JSON.stringify({ handle })).content] };
    },
    put: ({ handle, value }) => {
      if (!values.has(handle)) throw new Error('No such ledger');
      values.set(handle, value);
      return text('put');
    },
    get: ({ handle }) => text(JSON.stringify({ value: values.get(handle) ?? null, total: isMutated ? 2 : 1 })),
    ask: async ({ prompt }, { sendRequest }) => {
      const content = { type: 'text', text: isMutated ? `${prompt}!` : prompt };
      const params = { messages: [{ role: 'user', content }], maxTokens: 10 };
      const { content: said } = await sendRequest({ method: 'sampling/createMessage', params }, Anything);
      return text(`It said ${said.text}`);
    },
    roots: async (_, { sendRequest }) => {
      return text(JSON.stringify(await sendRequest({ method: 'roots/list' }, Anything)));
    },
    watch: async ({ uri }, { sendNotification }) => {
      await sendNotification({ method: 'notifications/resources/updated', params: { uri } });
      return text('Watched');
    },
    slow: async (_, { _meta, sendNotification }) => {
      for (const progress of [1, isMutated ? 3 : 2]) {
        const params = { progressToken: _meta?.progressToken, progress };
        await sendNotification({ method: 'notifications/progress', params });
      }
      return text('Done');
    },
  };
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const from = params?.cursor === undefined ? 0 : cursors.get(params.cursor);
    if (from === undefined) throw new Error('Unknown cursor');
    const page = NAMES.slice(from, from + 3).map((name) => ({ name, inputSchema }));
    if (from + 3 >= NAMES.length) return { tools: page };
    const nextCursor = randomUUID();
    cursors.set(nextCursor, from + 3);
    return { tools: page, nextCursor };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    tools[params.name](params.arguments ?? {}, extra),
  );
  server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    if (!values.has(uri)) throw new Error('No such resource');
    return { contents: [{ uri, text: values.get(uri) }] };
  });
  return server;
}

const transports = new Map();

async function post(request, response, body) {
  if (transport === 'sse') {
    const known = transports.get(new URL(request.url, 'http://h').searchParams.get('sessionId'));
    return known === undefined ? response.writeHead(404).end() : known.handlePostMessage(request, response, body);
  }
  const known = transports.get(request.headers['mcp-session-id']);
  if (known !== undefined) return known.handleRequest(request, response, body);
  if (body?.method !== 'initialize') return response.writeHead(404).end();
  const made = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => transports.set(id, made),
  });
  await build().connect(made);
  return made.handleRequest(request, response, body);
}

async function serve(request, response) {
  if (transport === 'sse' && request.method === 'GET') {
    const made = new SSEServerTransport('/messages', response);
    transports.set(made.sessionId, made);
    return build().connect(made);
  }
  let said = '';
  for await (const chunk of request) said += chunk;
  return post(request, response, said === '' ? undefined : JSON.parse(said));
}

if (transport === 'stdio') await build().connect(new StdioServerTransport());
else {
  const listener = createServer((request, response) => {
    serve(request, response).catch(() => response.headersSent || response.writeHead(500).end());
  });
  listener.listen(0, '127.0.0.1', () => process.stderr.write(`listening on port ${listener.address().port}\n`));
}
