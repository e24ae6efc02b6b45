// A server that reports every received message, unchanged, to the socket in its second argument. It then handles the
// message with an SDK over the transport in its first argument. On stdio it exits only when its stdin ends; over HTTP
// it prints its URL.
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const [transport, notes] = process.argv.slice(2);
const teller = connect(notes);
teller.on('error', () => undefined).unref();

/** Reports a received message, with its HTTP headers if any. */
function note(text, headers) {
  teller.write(`${JSON.stringify({ text, headers })}\n`);
}

const said = (text) => ({ content: [{ type: 'text', text }] });

/** Both SDK versions register tools in the same way, but pass tools different objects for sending notifications. */
function withTools(server) {
  const inputSchema = z.object({ text: z.string() });
  server.registerTool('echo', { description: 'Returns the text it gets.', inputSchema }, async ({ text }) =>
    said(text),
  );
  server.registerTool('shout', { description: 'Says it loudly.', inputSchema }, async ({ text }) =>
    said(text.toUpperCase()),
  );
  server.registerTool('tell', { description: 'Says it as its progress.', inputSchema }, async ({ text }, context) => {
    const { _meta, notify = context.sendNotification } = context.mcpReq ?? context;
    const params = { progressToken: _meta.progressToken, progress: 1, message: text };
    await notify({ method: 'notifications/progress', params });
    return said('told');
  });
  server.registerTool('ask', { description: 'Asks for the roots.', inputSchema }, async (_, context) => {
    const ask = { method: 'roots/list' };
    const answer = context.mcpReq?.send(ask) ?? context.sendRequest(ask, z.object({ roots: z.array(z.any()) }));
    return said((await answer).roots.map(({ name }) => name).join());
  });
  return server;
}

function build(Server = McpServer) {
  const capabilities = { logging: {}, tools: { listChanged: true } };
  return withTools(new Server({ name: 'noting', version: '1.0.0' }, { capabilities }));
}

function serveProgram() {
  const input = new PassThrough();
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      note(line);
      input.write(`${line}\n`);
    }
  });
  process.stdin.on('end', () => input.end());
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  serveStdio(() => build(), { transport: new StdioServerTransport(input, process.stdout) });
}

if (transport === 'stdio') serveProgram();
else {
  const { serveSse, serveStreamable } = await import('./noting-http.mjs');
  const serve = transport === 'sse' ? serveSse : serveStreamable;
  serve(build, note, (url) => process.stdout.write(`${url}\n`));
  process.stdin.on('end', () => process.exit()).resume();
}
