import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import type { Place } from './place.ts';

const certificates = new URL('../servers/tls/', import.meta.url);

/** A stdio server program that answers every request. */
const PROGRAM = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: {} }));
});`;

/**
 * Starts an HTTP server of either transport that does the same, and returns its origin. It is stopped after the test.
 */
async function smallServer(isSecure: boolean): Promise<string> {
  let stream: ServerResponse | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('event: endpoint\ndata: /messages\n\n');
      stream = response;
      return;
    }
    const { id } = JSON.parse(await text(request)) as { id: number };
    const message = JSON.stringify({ jsonrpc: '2.0', id, result: {} });
    if (request.url === '/messages') {
      response.writeHead(202).end();
      stream?.write(`event: message\ndata: ${message}\n\n`);
    } else response.writeHead(200, { 'Content-Type': 'application/json', 'Mcp-Session-Id': 's-1' }).end(message);
  };
  const handle = (request: IncomingMessage, response: ServerResponse): void => void answer(request, response);
  const read = (name: string): Buffer => readFileSync(new URL(name, certificates));
  const server = isSecure
    ? createSecureServer({ key: read('server-key.pem'), cert: read('server.pem') }, handle)
    : createServer(handle);
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return `${isSecure ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}';

/** Connects to a listener as a client would, and returns the first data. */
async function connect(url: string, token: string | undefined): Promise<string> {
  const given: Record<string, string> = token === undefined ? {} : { 'Mcpreel-Token': token };
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...given };
  const response = await fetch(
    url,
    url.endsWith('/sse')
      ? { headers: { Accept: 'text/event-stream', ...given } }
      : { method: 'POST', headers, body: INITIALIZE },
  );
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return `${response.status} ${new TextDecoder().decode(value)}`;
}

/**
 * Runs a recording command as mcpreel suggested it, with a small server for its target, and a client that sends
 * requests.
 */
export async function recordAsReported(place: Place, args: readonly string[]): Promise<void> {
  place.write('server.js', PROGRAM);
  place.write('company-ca.pem', readFileSync(new URL('authority.pem', certificates)));
  const server = await smallServer(args.includes('--ca'));
  const dashes = args.includes('--') ? args.indexOf('--') : args.length;
  const flags = args.slice(0, dashes).map((arg) => arg.replace(/^https?:\/\/[^/]+/, server).replace('…', 'x'));
  if (flags[flags.indexOf('--listen-transport') + 1] === 'stdio') {
    const running = place.start([...flags, ...args.slice(dashes)]);
    running.write(`${INITIALIZE}\n`);
    await running.sent('"result":{}');
    running.end();
    expect(await running.ended).toMatchObject({ code: 0 });
    return;
  }
  const running = place.start([...flags, '--listen-port', '0', ...args.slice(dashes)]);
  const [, url = ''] = await running.noted(/^mcpreel: Listening on (\S+) for /m);
  const token = flags.includes('--token') ? flags[flags.indexOf('--token') + 1] : undefined;
  expect(await connect(url, token)).toMatch(/^200 (?:\{"jsonrpc"|event: endpoint\n)/);
  running.signal('SIGINT');
  expect(await running.ended).toMatchObject({ code: 0, stdout: '' });
}
