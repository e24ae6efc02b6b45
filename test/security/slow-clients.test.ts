import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { RawPeer } from '../http/raw-peers.ts';
import { runningSession, Screen } from '../intercept/screen.ts';
import { startProxy } from '../support/http-proxy.ts';
import { Place } from '../support/place.ts';
import { rawHttpServer } from '../support/raw-http-server.ts';
import { echoServer } from '../support/servers.ts';
import { ServedView } from '../view/served-view.ts';

const MANY = 150;
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** Beginnings of requests that never continue. */
const STARTS = [
  '',
  'P',
  'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ',
  'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{',
];

async function besiege(url: string): Promise<void> {
  await Promise.all(
    Array.from({ length: MANY }, async (_, n) => {
      const peer = await RawPeer.to(url);
      await peer.write(STARTS[n % STARTS.length] ?? '');
    }),
  );
}

it('clients that never finish a request, or never read, do not keep a listener from serving others', async () => {
  const server = await rawHttpServer((_, response) => {
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(`{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(1 << 20)}"}`);
  });
  const proxy = await startProxy(new Place(), ['--target-url', server.url.href]);
  await besiege(proxy.url);
  for (let n = 0; n < 20; n++) {
    const peer = await RawPeer.to(proxy.url);
    peer.socket.pause();
    await peer.write(
      `POST /mcp HTTP/1.1\r\nHost: ${new URL(proxy.url).host}\r\nContent-Length: ${PING.length}\r\n\r\n${PING}`,
    );
  }
  const answer = await fetch(proxy.url, { method: 'POST', body: PING });
  expect((await answer.text()).length).toBeGreaterThan(1 << 20);
  expect((await proxy.stop()).outcome.code).toBe(0);
});

it('clients that never finish a request do not keep the page from being served, or its server from ending', async () => {
  const view = await ServedView.start(new Place(), ['--live']);
  await besiege(view.url);
  expect((await view.ask('/api/opened')).status).toBe(200);
  view.process.signal('SIGINT');
  expect((await view.process.ended).code).toBe(0);
});

it('connections to the control socket that send nothing, or do not read, do not stop the session', async () => {
  const place = new Place();
  const running = place.start(['--', ...echoServer]);
  const screen = await Screen.open(place);
  const { socket = '', token } = await runningSession(place);
  const peers = await Promise.all(
    Array.from({ length: MANY }, async (_, n) => {
      const peer = connect(socket).pause();
      peer.on('error', () => undefined);
      onTestFinished(() => void peer.destroy());
      await once(peer, 'connect');
      if (n % 2 === 0) peer.write(`${JSON.stringify({ v: 1, token })}\n{"ref":1,"type":"follow"}\n`);
      return peer;
    }),
  );
  expect(peers).toHaveLength(MANY);
  const line = `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"${'x'.repeat(200_000)}"}}`;
  for (let n = 0; n < 20; n++) running.write(`${line}\n`);
  running.write('{"jsonrpc":"2.0","id":8,"method":"last"}\n');
  await running.sent('"id":8');
  await screen.hold('method:never');
  running.end();
  expect((await running.ended).code).toBe(0);
});
