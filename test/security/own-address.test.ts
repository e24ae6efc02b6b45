import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { startProxy } from '../support/http-proxy.ts';
import { Place } from '../support/place.ts';
import { eventsOf } from '../support/recordings.ts';
import { sessionText } from '../support/session-texts.ts';

const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}';

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

async function answerOf(port: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: INITIALIZE,
  });
  return response.text();
}

const REMOTE = ['--listen-host', '0.0.0.0', '--allow-remote', '--token', 'a-token-of-ours'];

it.each([
  ['relay', '0.0.0.0', []],
  ['relay', '2130706433', []],
  ['relay that listens everywhere', '127.0.0.3', REMOTE],
  ['bridge', '[::ffff:127.0.0.1]', ['--transport', 'sse', '--listen-transport', 'streamable-http']],
])('A %s whose target %s is itself under another name does not call itself', async (_, host, flags) => {
  const port = await freePort();
  const listen = ['--listen-port', port, '--target-url', `http://${host}:${port}/mcp`];
  const proxy = await startProxy(new Place(), [...flags, ...listen]);
  expect(await answerOf(port, { 'Mcpreel-Token': 'a-token-of-ours' })).toContain('that is mcpreel itself');
  const { trace } = await proxy.stop();
  expect(eventsOf(trace, 'http.exchange').length).toBeLessThanOrEqual(2);
});

it('A mock that forwards to itself does not call itself', async () => {
  const place = new Place();
  place.write('session.json', sessionText([]));
  const port = await freePort();
  const flags = ['--on-miss', 'forward', '--target-url', `http://localhost:${port}/mcp`, '--listen-port', port];
  const mock = place.start(['mock', 'session.json', '--listen-transport', 'streamable-http', ...flags]);
  await mock.noted(/Listening on/);
  expect(await answerOf(port)).toContain('that is mcpreel itself');
});
