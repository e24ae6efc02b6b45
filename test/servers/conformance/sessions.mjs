import { randomUUID } from 'node:crypto';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import { EventStore } from './event-store.mjs';
import { buildServer } from './server.mjs';

/** How soon a client should reconnect after a stream was closed. */
const RETRY_MS = 50;

/** Serves clients that open a session with `initialize`, each with its own server and resumable streams. */
export function createSessions() {
  const transports = new Map();

  return async (request, response, body) => {
    const id = request.headers['mcp-session-id'];
    if (id !== undefined) {
      const transport = transports.get(id);
      if (transport === undefined) return refuse(response, 404, -32001, 'Session not found');
      return transport.handleRequest(request, response, body);
    }
    if (body !== undefined && ![body].flat().some(isInitializeRequest)) {
      return refuse(response, 400, -32000, 'Bad Request: Mcp-Session-Id header is required');
    }
    const transport = await open(transports);
    return transport.handleRequest(request, response, body);
  };
}

async function open(transports) {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => transports.set(id, transport),
    onsessionclosed: (id) => transports.delete(id),
    eventStore: new EventStore(),
    retryInterval: RETRY_MS,
  });
  const server = buildServer({
    toolsChanged: () => server.sendToolListChanged(),
    promptsChanged: () => server.sendPromptListChanged(),
    resourceUpdated: (uri) => server.server.sendResourceUpdated({ uri }),
  });
  await server.connect(transport);
  return transport;
}

function refuse(response, status, code, message) {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}
