import { expect, it } from 'vitest';
import { startProxy } from '../support/http-proxy.ts';
import { initialize } from '../support/link-witness.ts';
import { Place } from '../support/place.ts';
import { rawHttpServer } from '../support/raw-http-server.ts';

const KEY = 'zq81-made-up-and-unlike-any-other';
const FLAGS = ['proxy', 'start', '--trace-file', 'trace.jsonl', '--listen-transport', 'stdio'];

it('sends added headers to the target, and records neither them nor events that are not messages', async () => {
  const server = await rawHttpServer(({ body }, response) => {
    const { id } = JSON.parse(body) as { id: number };
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(`data: {"access_token":"${KEY}-in-an-event"}\n\n`);
    response.end(`data: {"jsonrpc":"2.0","id":${id},"result":{}}\n\n`);
  });
  const place = new Place();
  const running = place.start([...FLAGS, '--target-url', server.url.href, '--header', `X-Key: ${KEY}`]);
  running.end(`${initialize(0)}\n`);
  const { stdout } = await running.ended;
  expect(JSON.parse(stdout)).toEqual({ jsonrpc: '2.0', id: 0, result: {} });
  expect(server.requests[0]?.headers['x-key']).toBe(KEY);
  const trace = place.read('trace.jsonl');
  expect(trace).not.toContain(KEY);
  expect(trace).toContain('"kind":"stdio.noise"');
});

it('reports that the target requires a login, and records the challenge but not the response body', async () => {
  const server = await rawHttpServer((_, response) => {
    response.writeHead(401, { 'WWW-Authenticate': 'Bearer realm="here"', 'Content-Type': 'application/json' });
    response.end(`{"secret":"${KEY}"}`);
  });
  const place = new Place();
  const { code, stdout } = await place.run([...FLAGS, '--target-url', server.url.href], {
    input: `${initialize(0)}\n`,
  });
  expect(JSON.parse(stdout)).toMatchObject({ id: 0, error: { code: -32000, data: { httpStatus: 401 } } });
  expect(code).toBe(0);
  const trace = place.read('trace.jsonl');
  expect(trace).not.toContain(KEY);
  expect(trace).toContain('"status":401');
  expect(trace).toContain('["WWW-Authenticate","Bearer realm=');
  expect(trace).toContain('"injected":true');
});

it('requires the token from every client, and never records it', async () => {
  const place = new Place();
  const flags = ['--listen-transport', 'sse', '--token', KEY, '--', process.execPath, '-e', 'process.stdin.resume()'];
  const proxy = await startProxy(place, flags);
  expect((await fetch(proxy.url)).status).toBe(403);
  const abort = new AbortController();
  const { signal } = abort;
  for (const [url, headers] of [
    [proxy.url, { 'Mcpreel-Token': KEY }],
    [`${proxy.url}?token=${KEY}`, {}],
  ] as const) {
    const accepting = { Accept: 'text/event-stream', ...headers };
    expect((await fetch(url, { headers: accepting, signal })).status).toBe(200);
  }
  abort.abort();
  await proxy.stop();
  expect(place.read('trace.jsonl')).not.toContain(KEY);
});
