import { toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler, InMemoryServerEventBus, isLegacyRequest } from '@modelcontextprotocol/server';
import { buildServer } from './server.mjs';
import { createSessions } from './sessions.mjs';

/** One endpoint for both eras: every request is served by the era that it speaks. */
export function createEndpoint() {
  const serveModern = createModern();
  const serveLegacy = createSessions();

  return async (incoming, response) => {
    const request = await toWebRequest(incoming);
    const legacy = await isLegacyRequest(request);
    const body = parse(await request.text());
    await (legacy ? serveLegacy : serveModern)(incoming, response, body);
  };
}

/** Answers with a stream where a client names that first, else only where there is more than one thing to say. */
function createModern() {
  const bus = new InMemoryServerEventBus();
  const handler = (responseMode) => {
    // The servers that a handler makes tell it what changed, and it tells the clients that listen.
    const made = createMcpHandler(() => buildServer(made.notify), { legacy: 'reject', responseMode, bus });
    return toNodeHandler(made);
  };
  const asNeeded = handler('auto');
  const streaming = handler('sse');
  return (incoming, response, body) => {
    const serve = incoming.headers.accept?.startsWith('text/event-stream') ? streaming : asNeeded;
    return serve(incoming, response, body);
  };
}

/** What is no JSON is left to the transport, which finds nothing and says so. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
