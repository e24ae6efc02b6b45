import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { createMcpHandler } from '@modelcontextprotocol/server';

/** Serves clients of both protocol eras on one endpoint. */
export function serveStreamable(build, note, onListening) {
  const transports = new Map();
  // A response becomes a stream as soon as it has more than one message.
  const modern = toNodeHandler(createMcpHandler(() => build(), { legacy: 'reject', responseMode: 'auto' }));
  const open = async () => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => transports.set(id, transport),
    });
    await build().connect(transport);
    return transport;
  };
  listen('/mcp', onListening, async (request, response) => {
    const body = await bodyOf(request, response, note);
    if (body === MALFORMED) return;
    if (request.headers['mcp-protocol-version'] === '2026-07-28') return modern(request, response, body);
    const transport = transports.get(request.headers['mcp-session-id']) ?? (await open());
    return transport.handleRequest(request, response, body);
  });
}

/** Serves clients of the oldest revision: one stream each, and an endpoint for POSTs. */
export function serveSse(build, note, onListening) {
  const transports = new Map();
  listen('/sse', onListening, async (request, response) => {
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      transports.set(transport.sessionId, transport);
      await build(McpServerV1).connect(transport);
      return;
    }
    const body = await bodyOf(request, response, note);
    const { searchParams } = new URL(request.url, 'http://localhost');
    if (body !== MALFORMED) {
      await transports.get(searchParams.get('sessionId'))?.handlePostMessage(request, response, body);
    }
  });
}

const MALFORMED = Symbol('malformed');

/** The parsed body for the transport. A body that is not JSON is refused here, as the transport would. */
async function bodyOf(request, response, note) {
  if (request.method !== 'POST') return undefined;
  const text = await textOf(request);
  note(text, request.headers);
  try {
    return JSON.parse(text);
  } catch {
    const error = { code: -32700, message: 'Parse error' };
    response.writeHead(400, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
    return MALFORMED;
  }
}

function listen(path, onListening, serve) {
  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.destroy(error));
  });
  // Connections must survive a machine that stalls for any length of time.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1', () => onListening(`http://127.0.0.1:${server.address().port}${path}`));
}
