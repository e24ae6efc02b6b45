import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startProxy } from '../support/http-proxy.ts';
import { Place } from '../support/place.ts';
import { eventsOf } from '../support/recordings.ts';
import { type Field, fieldOf } from './http-message.ts';
import { ask, bytesOf, Line, OK, type Sent, withLength } from './oracle.ts';

const TOKEN = 'a token&more';

/** The head of the request that the target receives for this one. */
async function arrived(line: Line, start: string, fields: readonly Field[]): Promise<string> {
  const client = await line.connect();
  await client.write(bytesOf({ start, fields }));
  const target = await line.server.requested();
  const head = await target.until('\r\n\r\n');
  await target.write(bytesOf(OK));
  expect((await client.message()).start).toBe('HTTP/1.1 200 OK');
  return head;
}

/** The response to a client whose request is refused. */
async function refused(line: Line, start: string, fields: readonly Field[]): Promise<unknown> {
  const client = await line.connect();
  const before = line.server.count;
  await client.write(bytesOf({ start, fields }));
  const { start: status, body } = await client.message();
  expect(status).toBe('HTTP/1.1 403 Forbidden');
  expect(line.server.count).toBe(before);
  expect(await client.rest()).toBe('');
  return (JSON.parse(body.toString()) as { error: { message: string } }).error.message;
}

describe('a local listener', () => {
  it('listens only on 127.0.0.1 by default', async () => {
    const line = await Line.open();
    expect(line.proxy.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const { port } = new URL(line.proxy.url);
    for (const address of ['::1', '127.0.0.2', ...otherAddresses()]) {
      await expect(connected(address, Number(port))).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL|EAFNOSUPPORT/);
    }
  });

  it('listens on 127.0.0.1 if --listen-host is localhost', async () => {
    const line = await Line.open(['--listen-host', 'LocalHost']);
    expect(new URL(line.proxy.url).hostname).toBe('127.0.0.1');
  });

  it('refuses requests with another host', async () => {
    const line = await Line.open();
    const others = [
      'evil.example',
      'evil.example:80',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '',
      '192.168.1.10:8080',
    ];
    for (const host of others) {
      const why = await refused(line, 'POST /mcp HTTP/1.1', [
        ['Host', host],
        ['Content-Length', '0'],
      ]);
      expect(why).toMatch(/^mcpreel: refused Host ".*"\. Connect to http:\/\/127\.0\.0\.1:\d+$/);
    }
  });

  it('refuses requests with another origin', async () => {
    const line = await Line.open();
    const others = [
      'http://evil.example',
      'https://localhost.evil.example',
      'http://localhost@evil.example',
      'null',
      'file://',
      '',
    ];
    for (const origin of others) {
      const why = await refused(line, 'GET /mcp HTTP/1.1', [
        ['Host', 'localhost'],
        ['Origin', origin],
      ]);
      expect(why).toBe(`mcpreel: refused Origin "${origin}". Web pages of other machines cannot connect`);
    }
  });

  it('refuses an HTTP/1.0 request without a host', async () => {
    expect(await refused(await Line.open(), 'GET /mcp HTTP/1.0', [])).toMatch(/^mcpreel: refused Host /);
  });

  it('accepts all local host names, and forwards the origin', async () => {
    const line = await Line.open();
    const { port } = new URL(line.proxy.url);
    for (const host of [
      'localhost',
      `localhost:${port}`,
      'LOCALHOST:80',
      '127.0.0.1',
      '127.1.2.3:9',
      '[::1]',
      '[::1]:1',
    ]) {
      expect(await arrived(line, 'GET /mcp HTTP/1.1', [['Host', host]])).toContain(`Host: ${line.server.host}\r\n`);
    }
    for (const origin of ['http://localhost', 'http://localhost:5173', 'https://127.0.0.1', 'http://[::1]:3000']) {
      const head = await arrived(line, 'GET /mcp HTTP/1.1', [
        ['Host', 'localhost'],
        ['Origin', origin],
      ]);
      expect(head).toContain(`Origin: ${origin}\r\n`);
    }
  });

  it('requires a token if one is given', async () => {
    const line = await Line.open(['--token', TOKEN]);
    expect(await refused(line, 'GET /mcp HTTP/1.1', [['Host', 'localhost']])).toContain('token');
    expect(
      await refused(line, 'GET /mcp HTTP/1.1', [
        ['Host', 'evil.example'],
        ['Mcpreel-Token', TOKEN],
      ]),
    ).toContain('Host');
    await arrived(line, 'GET /mcp HTTP/1.1', [
      ['Host', 'localhost'],
      ['mcpreel-token', TOKEN],
    ]);
  });
});

describe('a remote listener', () => {
  it.each([
    [['--listen-host', '0.0.0.0'], '--listen-host 0.0.0.0 is open to other machines'],
    [['--listen-host', '0.0.0.0', '--token', 'x'], '--listen-host 0.0.0.0 is open to other machines'],
    [['--listen-host', '0.0.0.0', '--allow-remote'], '--allow-remote needs --token'],
    [['--listen-host', '0.0.0.0', '--allow-remote', '--token', ''], '--token is empty'],
    [['--allow-remote', '--token', 'x'], '--allow-remote has no effect on 127.0.0.1'],
    [['--listen-port', '70000'], '--listen-port 70000 is not a port'],
  ])('rejects unsafe or invalid flags: %s', async (flags, sent) => {
    const place = new Place();
    const { code, stderr } = await place.run(['proxy', 'start', '--target-url', 'http://127.0.0.1:1/', ...flags]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`Error: ${sent}. `) });
    expect(place.files()).toEqual([]);
  });

  it('prints a warning, and accepts only requests with the token', async () => {
    const line = await remoteLine();
    await line.proxy.process.noted(/^mcpreel: WARNING: other machines can connect to http:\/\/0\.0\.0\.0:\d+/m);
    const host: Field = ['Host', 'recorder.example:8080'];
    for (const [start, ...fields] of [
      ['GET /mcp HTTP/1.1', host],
      ['GET /mcp?token= HTTP/1.1', host],
      ['GET /mcp?token=wrong HTTP/1.1', host],
      ['GET /mcp?Token=a%20token%26more HTTP/1.1', host],
      ['GET /mcp HTTP/1.1', host, ['Mcpreel-Token', `${TOKEN} `.repeat(2)]],
      ['GET /mcp HTTP/1.1', host, ['Authorization', `Bearer ${TOKEN}`]],
    ] as [string, ...Field[]][]) {
      expect(await refused(line, start, fields)).toBe('mcpreel: the token is missing or wrong');
    }
    const origin: Field = ['Origin', 'https://app.example'];
    expect(await arrived(line, 'GET /mcp HTTP/1.1', [host, origin, ['Mcpreel-Token', TOKEN]])).toBe(
      `GET /mcp HTTP/1.1\r\nHost: ${line.server.host}\r\nOrigin: https://app.example\r\nConnection: keep-alive\r\n\r\n`,
    );
  });

  it('removes its token, and nothing else, from the URL', async () => {
    const line = await remoteLine();
    for (const [sent, expected] of [
      ['/mcp?token=a%20token%26more', '/mcp'],
      ['/mcp?a=b&token=a%20token%26more&c=%20', '/mcp?a=b&c=%20'],
      ['/mcp?a&&token=a%20token%26more', '/mcp?a&'],
      ['/mcp?token=theirs&token=%61%20token%26more&token', '/mcp?token=theirs&token'],
      ['/mcp?token=a%20token%26more&?token=a%20token%26more', '/mcp??token=a%20token%26more'],
    ]) {
      const head = await arrived(line, `GET ${sent} HTTP/1.1`, [['Host', 'recorder.example']]);
      expect(head.split('\r\n')[0]).toBe(`GET ${expected} HTTP/1.1`);
    }
  });

  it('forwards an HTTP/1.0 request with the host of the target', async () => {
    const line = await remoteLine();
    const head = await arrived(line, 'GET /mcp HTTP/1.0', [['Mcpreel-Token', TOKEN]]);
    expect(head).toContain(`Host: ${line.server.host}\r\n`);
  });

  it('never records its token, wherever it occurs', async () => {
    const line = await remoteLine();
    const host: Field = ['Host', 'recorder.example'];
    await arrived(line, 'GET /mcp HTTP/1.1', [host, ['Mcpreel-Token', TOKEN]]);
    await arrived(line, 'GET /mcp?token=a%20token%26more&a=b HTTP/1.1', [host]);
    const call = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"t":"${TOKEN}"}}`;
    const target = line.server;
    const client = await line.connect();
    await client.write(
      bytesOf(withLength({ start: 'POST / HTTP/1.1', fields: [host, ['Mcpreel-Token', TOKEN]], body: call })),
    );
    const peer = await target.requested();
    expect((await peer.message()).body.toString()).toBe(call);
    await peer.write(bytesOf(OK));
    await client.message();
    const { trace } = await line.proxy.stop();
    expect(eventsOf(trace, 'http.exchange')).toHaveLength(3);
    const text = line.place.read('trace.jsonl');
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain('a%20token');
    expect(text.toLowerCase()).not.toContain('mcpreel-token');
  });
});

function remoteLine(): Promise<Line> {
  return Line.open(['--listen-host', '0.0.0.0', '--allow-remote', '--token', TOKEN]);
}

async function connected(host: string, port: number): Promise<void> {
  const socket = connect({ host, port });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
}

/** Addresses at which other machines can reach this one. */
function otherAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
}

describe('the target of a listener', () => {
  it('refuses mcpreel itself as the target, under any name', async () => {
    const place = new Place();
    // Unknown The: port in advance: a first listener finds a free one.
    const first = await startProxy(place, ['--target-url', 'http://127.0.0.1:1/']);
    const { port } = new URL(first.url);
    await first.stop();
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      const self = await startProxy(new Place(), ['--listen-port', port, '--target-url', `http://${host}:${port}/mcp`]);
      const response = await fetch(`http://127.0.0.1:${port}/mcp`);
      expect(response.status).toBe(502);
      expect(await response.text()).toContain('that is mcpreel itself');
      const { trace } = await self.stop();
      expect(eventsOf(trace, 'http.exchange')).toHaveLength(1);
    }
  });

  it('a redirect of the target is forwarded and not followed', async () => {
    const line = await Line.open();
    const request = ask('GET /mcp HTTP/1.1');
    const redirect = (status: string, location: string): Sent =>
      withLength({ start: `HTTP/1.1 ${status}`, fields: [['Location', location]] });
    for (const status of ['301 Moved', '302 Found', '307 Temporary', '308 Permanent']) {
      await line.expectSame(request, redirect(status, '/other'));
      await line.expectSame(request, redirect(status, 'http://elsewhere.invalid/other'));
      // The target's own address becomes the address that the client uses.
      const { received } = await line.carry(request, redirect(status, `http://${line.server.host}/other`));
      expect(received.start).toBe(`HTTP/1.1 ${status}`);
      expect(fieldOf(received.fields, 'location')).toBe('http://localhost/other');
    }
    const { trace } = await line.proxy.stop();
    expect(eventsOf(trace, 'http.exchange')).toHaveLength(12);
  });
});
