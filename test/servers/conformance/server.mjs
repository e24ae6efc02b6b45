import { randomBytes } from 'node:crypto';
import { createRequestStateCodec, McpServer } from '@modelcontextprotocol/server';
import { addAskingTools } from './asking-tools.mjs';
import { addContentTools } from './content-tools.mjs';
import { addInputTools } from './input-tools.mjs';
import { addPrompts } from './prompts.mjs';
import { addResources } from './resources.mjs';
import { addSchemaTools } from './schema-tools.mjs';
import { addStreamTools } from './stream-tools.mjs';

// In the newest revision each request has its own server, so all of them share this state codec.
const states = createRequestStateCodec({ key: randomBytes(32) });

/** A server with everything that the suite requires. `changes` notifies subscribed clients. */
export function buildServer(changes) {
  const server = new McpServer(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } },
      cacheHints: { 'tools/list': { ttlMs: 1000, cacheScope: 'public' } },
      requestState: { verify: states.verify },
    },
  );
  addContentTools(server);
  addStreamTools(server, changes);
  addSchemaTools(server);
  addAskingTools(server);
  addInputTools(server, states);
  addResources(server, changes);
  addPrompts(server);
  return server;
}
