// A 2026-07-28 server that generates new names in every run. Its arguments are the transport (`stdio` or
// `streamable-http`) and `mutated` for a version with five changes: a list, a result, a question, a call's progress,
// and its log.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const [transport, version] = process.argv.slice(2);
const isMutated = version === 'mutated';
const NAME = z.object({ name: z.string() });
const text = (said) => ({ content: [{ type: 'text', text: said }] });

// Each request may get its own server instance, so they share this state.
const values = new Map();

function build(changed) {
  const server = new McpServer({ name: 'ledger', version: '1.0.0' }, { capabilities: { logging: {} } });
  const add = (name, inputSchema, call) =>
    server.registerTool(name, { description: `Does ${name}.`, inputSchema }, call);
  add('open', z.object({ value: z.string() }), ({ value }) => {
    const handle = `ledger-${randomUUID().slice(0, 8)}-1`;
    values.set(handle, value);
    return text(JSON.stringify({ handle }));
  });
  add('get', z.object({ handle: z.string() }), ({ handle }) =>
    text(JSON.stringify({ value: values.get(handle) ?? null, total: isMutated ? 2 : 1 })),
  );
  add('greet', z.object({}), (_, { mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'who', NAME);
    if (given !== undefined) return text(`Hello ${given.name}`);
    const message = isMutated ? 'Your name, please?' : 'Who are you?';
    const who = inputRequired.elicit({ message, requestedSchema: NAME });
    return inputRequired({ inputRequests: { who }, requestState: `state-${randomUUID()}` });
  });
  add('slow', z.object({}), async (_, { mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {};
    for (const progress of [1, isMutated ? 3 : 2]) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } });
    }
    return text('Done');
  });
  add('log', z.object({}), async (_, { mcpReq }) => {
    await mcpReq.log('info', isMutated ? 'Something else' : 'Something');
    return text('Logged');
  });
  add(isMutated ? 'amend' : 'change', z.object({}), () => text('Nothing'));
  add('tell', z.object({}), () => {
    (changed ?? (() => server.sendToolListChanged()))();
    return text('Told');
  });
  return server;
}

if (transport === 'stdio') serveStdio(() => build(), { legacy: 'reject' });
else {
  const made = createMcpHandler(() => build(() => made.notify.toolsChanged()), { legacy: 'reject' });
  const serve = toNodeHandler(made);
  const listener = createServer((request, response) => {
    Promise.resolve(serve(request, response)).catch(() => response.writeHead(500).end());
  });
  listener.listen(0, '127.0.0.1', () => process.stderr.write(`listening on port ${listener.address().port}\n`));
}
