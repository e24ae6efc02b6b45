import { toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler, InMemoryServerEventBus, isLegacyRequest } from '@modelcontextprotocol/server';
import { buildServer } from './server.mjs';
import { createSessions } from './sessions.mjs';

/** One HTTP endpoint for both protocol eras; each request is served by its own era. */
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

/** Answers with a stream if the client prefers one, otherwise only if there is more than one message. */
function createModern() {
  const bus = new InMemoryServerEventBus();
  const handler = (responseMode) => {
    // The handler's servers report changes to it, and it notifies subscribed clients.
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

/** A body that is not JSON is left to the transport, which reports the error. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
