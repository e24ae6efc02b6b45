// SDK v2 clients, as agents use them.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { undoLater } from './undo.mjs';

/** Connects over Streamable HTTP. `sent` collects the texts that the client sends. */
export async function connectHttp(url, name) {
  const sent = [];
  const noting = (address, init) => {
    if (init?.method === 'POST') sent.push(init.body);
    return fetch(address, init);
  };
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: noting });
  const client = new Client({ name, version: '1.0.0' });
  await client.connect(transport);
  return {
    sent,
    echo: (text) => echo(client, text),
    async leave() {
      await transport.terminateSession();
      await client.close();
    },
  };
}

/** Starts a program and connects to it over stdio. */
export async function connectStdio(command, args, { cwd, env }, name) {
  const transport = new StdioClientTransport({ command, args, cwd, env, stderr: 'pipe' });
  const client = new Client({ name, version: '1.0.0' });
  await client.connect(transport);
  const { pid } = transport;
  let isGone = false;
  client.onclose = () => {
    isGone = true;
  };
  // The pid of an ended process may be reused.
  undoLater(() => isGone || process.kill(pid, 'SIGKILL'));
  return { pid, echo: (text) => echo(client, text), leave: () => client.close() };
}

/** Calls the echo tool with a text. */
async function echo(client, text) {
  const { content } = await client.callTool({ name: 'echo', arguments: { text } });
  if (content[0]?.text !== text) throw new Error(`Not what was said: ${JSON.stringify(content)} for ${text}`);
}
