// The conformance suite's server for clients of one protocol era or both, on stdio or over HTTP. Its arguments are
// `legacy`, `modern` or `both`, then `stdio` or `http`.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createEndpoint } from '../servers/conformance/endpoint.mjs';
import { buildServer } from '../servers/conformance/server.mjs';
import { createSessions } from '../servers/conformance/sessions.mjs';

const [era, transport] = process.argv.slice(2);

function build(changes) {
  const server = buildServer(
    changes ?? {
      toolsChanged: () => server.sendToolListChanged(),
      promptsChanged: () => server.sendPromptListChanged(),
      resourceUpdated: (uri) => server.server.sendResourceUpdated({ uri }),
    },
  );
  return server;
}

if (transport === 'stdio') {
  if (era === 'legacy') await build().connect(new StdioServerTransport());
  else serveStdio(() => build(), { legacy: era === 'modern' ? 'reject' : 'serve' });
} else {
  const serve = { legacy: serveLegacy, modern: serveModern, both: createEndpoint }[era]();
  const listener = createServer((request, response) => {
    Promise.resolve(serve(request, response)).catch(() => response.writeHead(500).end());
  });
  listener.listen(0, '127.0.0.1', () => process.stderr.write(`listening on port ${listener.address().port}\n`));
}

function serveLegacy() {
  const sessions = createSessions();
  return async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    await sessions(request, response, text === '' ? undefined : JSON.parse(text));
  };
}

function serveModern() {
  const made = createMcpHandler(() => build(made.notify), { legacy: 'reject' });
  return toNodeHandler(made);
}
