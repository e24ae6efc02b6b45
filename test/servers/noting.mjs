// A server that tells the socket of its second argument every message that reaches it, as it came, and then serves it
// with an SDK over the transport of its first. A program on stdio ends with its input alone; over HTTP it says its address.
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const [transport, notes] = process.argv.slice(2);
const teller = connect(notes);
teller.on('error', () => undefined).unref();

/** Tells what reached the server, with the headers that it came with, if it had any. */
function note(text, headers) {
  teller.write(`${JSON.stringify({ text, headers })}\n`);
}

const said = (text) => ({ content: [{ type: 'text', text }] });

/** Both generations of the SDK register tools in the same way, and hand them what they need to say more in different ones. */
function withTools(server) {
  const inputSchema = z.object({ text: z.string() });
  server.registerTool('echo', { description: 'Says what it was told.', inputSchema }, async ({ text }) => said(text));
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
