// The conformance suite's server on stdio, for clients of both protocol eras.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { buildServer } from '../servers/conformance/server.mjs';

serveStdio(() => {
  const server = buildServer({
    toolsChanged: () => server.sendToolListChanged(),
    promptsChanged: () => server.sendPromptListChanged(),
    resourceUpdated: (uri) => server.server.sendResourceUpdated({ uri }),
  });
  return server;
});
