import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { rawHttpServer } from '../support/raw-http-server.ts';
import { jsonLines } from '../support/recordings.ts';
import { echoServer } from '../support/servers.ts';
import { notLinux, unless } from '../support/unless.ts';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
const WATCH = fileURLToPath(new URL('watched-access.cjs', import.meta.url));

/** What the code of the wrapper reached while it wrapped a server: listening sockets, connections, programs, files. */
async function reachedBy(place: Place, args: readonly string[]): Promise<string[]> {
  place.write('access.jsonl', '');
  const env = { NODE_OPTIONS: `--require ${WATCH}`, ACCESS_LOG: place.path('access.jsonl') };
  const running = place.start(args, env);
  running.write(PING);
  await running.sent('ping');
  running.end();
  expect((await running.ended).code).toBe(0);
  const noted = jsonLines(place.read('access.jsonl')).filter(({ pid }) => pid === running.pid);
  return [...new Set(noted.map(({ kind, what }) => `${String(kind)} ${String(what).replaceAll(place.home, 'STATE')}`))];
}

it(
  'wraps a server without a port, a connection, a lookup, another program or a file outside the state folder and memory',
  unless(notLinux),
  async () => {
    const place = new Place();
    const reached = await reachedBy(place, ['--', ...echoServer]);
    expect(reached.filter((line) => /^(connect|lookup) /.test(line))).toEqual([]);
    expect(reached.filter((line) => line.startsWith('listen '))).toEqual([
      expect.stringMatching(/^listen STATE\/live\/[\w-]+\.sock$/),
    ]);
    expect(reached.filter((line) => line.startsWith('spawn '))).toEqual([`spawn ${echoServer[0]}`]);
    const written = reached.filter((line) => line.startsWith('write '));
    expect(written.length).toBeGreaterThan(0);
    const known = /^write (STATE\/|\/dev\/null$|\/dev\/shm\/mcpreel-\d+\/[\w-]+\.journal$)/;
    expect(written.filter((line) => !known.test(line))).toEqual([]);
  },
);

it(
  'connects a client over stdio to a URL without a port, and reaches nothing but that URL',
  unless(notLinux),
  async () => {
    const target = await rawHttpServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"jsonrpc":"2.0","id":1,"result":"ping"}');
    });
    const place = new Place();
    const reached = await reachedBy(place, ['record', '--listen-transport', 'stdio', '--target-url', target.url.href]);
    expect(reached.filter((line) => line.startsWith('listen '))).toEqual([
      expect.stringMatching(/^listen STATE\/live\/[\w-]+\.sock$/),
    ]);
    const connected = reached.filter((line) => line.startsWith('connect '));
    expect(connected.length).toBeGreaterThan(0);
    expect(connected.filter((line) => !line.includes(target.url.port))).toEqual([]);
    expect(reached.filter((line) => line.startsWith('spawn '))).toEqual([]);
  },
);
