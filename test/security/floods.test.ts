import { describe, expect, it } from 'vitest';
import { startProxy } from '../support/http-proxy.ts';
import { Place } from '../support/place.ts';
import { echoServer } from '../support/servers.ts';

const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

function initialize(url: string): Promise<Response> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  return fetch(url, { method: 'POST', headers: ACCEPT, body });
}

describe('a flood of conversations', () => {
  it('a flood of conversations is refused with 503 beyond the limit, and the others are served', async () => {
    const place = new Place();
    const flags = ['--listen-transport', 'streamable-http', '--max-conversations', '2', '--', ...echoServer];
    const proxy = await startProxy(place, flags, null);
    const open = [await initialize(proxy.url), await initialize(proxy.url)];
    expect(open.map(({ status }) => status)).toEqual([200, 200]);
    for (let n = 0; n < 5; n++) {
      const refused = await initialize(proxy.url);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    }
    const session = open[0]?.headers.get('mcp-session-id') ?? '';
    const headers = { ...ACCEPT, 'mcp-session-id': session };
    const ping = await fetch(proxy.url, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":2,"method":"ping"}' });
    expect(ping.status).toBe(200);
    await ping.body?.cancel();
    expect((await fetch(proxy.url, { method: 'DELETE', headers })).status).toBe(200);
    expect((await initialize(proxy.url)).status).toBe(200);
    const { outcome } = await proxy.stop();
    expect(outcome.stderr.match(/2 conversations are open: others get 503/g)).toHaveLength(1);
  });

  it('a flood of conversations over HTTP+SSE is refused with 503 beyond the limit', async () => {
    const flags = ['--listen-transport', 'sse', '--max-conversations', '1', '--', ...echoServer];
    const proxy = await startProxy(new Place(), flags, null);
    const headers = { accept: 'text/event-stream' };
    const leaving = new AbortController();
    const first = await fetch(proxy.url, { headers, signal: leaving.signal });
    expect(first.status).toBe(200);
    expect((await fetch(proxy.url, { headers })).status).toBe(503);
    leaving.abort();
    await expect
      .poll(async () => (await fetch(proxy.url, { headers, signal: AbortSignal.timeout(5000) })).status)
      .toBe(200);
    await proxy.stop();
  });

  it('a request that accepts no event stream opens none', async () => {
    const proxy = await startProxy(new Place(), ['--listen-transport', 'sse', '--', ...echoServer], null);
    for (const accept of ['text/html', '*/*', 'application/json']) {
      expect((await fetch(proxy.url, { headers: { accept } })).status).toBe(406);
    }
    await proxy.stop();
  });
});
