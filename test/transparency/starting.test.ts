import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { eventsOf, parseTrace } from '../support/recordings.ts';
import { echoServer, scriptServer } from '../support/servers.ts';
import { notLinux, unless } from '../support/unless.ts';
import { orderOf, wellOrdered } from './framing.ts';
import { Peer, type Seen } from './peer.ts';
import { type Drive, expectSame, Reeled, startBare } from './side-by-side.ts';

const endInput: Drive<Seen> = (peer) => peer.end();

describe('the environment of a server', () => {
  const say = (what: string): readonly string[] => scriptServer(`fs.writeSync(1, JSON.stringify(${what}))`);

  it('a server gets its environment variables, and no others', async () => {
    const place = new Place();
    await expectSame(say('process.env'), readJson, expect.objectContaining({ PATH: place.environment().PATH }));
    await expectSame(say('Object.keys(process.env).sort()'), readJson, ['MCPREEL_HOME', 'PATH']);
  });

  it('a server gets its arguments unchanged, with any characters in them', async () => {
    const words = ['', ' ', 'a b', '"', "'", '\\', '$HOME', '*', '--', '--label', 'é\n', '\u{1F600}'];
    await expectSame([...say('process.argv.slice(1)'), '--', ...words], readJson, words);
  });

  it('a server gets its working directory and umask', async () => {
    await expectSame(say("[process.cwd() === fs.realpathSync('.'), process.umask()]"), readJson, [
      true,
      process.umask(),
    ]);
  });

  it('a server inherits no open file of mcpreel', unless(notLinux), async () => {
    const place = new Place();
    const server = ['ls', '/proc/self/fd'];
    const openAnyway = await startBare(place, server).end();
    await expectSame(server, endInput, openAnyway);
  });

  it('a server gets no terminal if mcpreel has none', async () => {
    await expectSame(say('[0, 1, 2].map((fd) => require("tty").isatty(fd))'), readJson, [false, false, false]);
  });

  async function readJson(peer: Peer): Promise<unknown> {
    await peer.end();
    return JSON.parse(peer.out.bytes().toString());
  }
});

describe('a program that cannot be started', () => {
  const shell = (program: string): string[] => ['sh', '-c', 'exec "$@" 2> /dev/null', 'sh', program];

  it('exits like a shell for a program that is not found, and writes a complete trace', async () => {
    const place = new Place();
    const { peer, trace } = start(place, ['./no-such-program', 'x']);
    const bare = new Peer(shell('./no-such-program'), place.folder, place.environment());
    expect((await bare.end()).status).toBe(127);
    expect(await peer.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')).toEqual({
      status: 127,
      stdout: '',
      stderr: expect.stringMatching(/^Error: Cannot start "\.\/no-such-program": [^\n]+\n$/),
    });
    expectFailedStart(trace(), { action: 'undelivered', dir: 'in' });
  });

  it.each([
    ['is a file without the right to be run', '#!/bin/sh\n', 0o644],
    ['names an interpreter that is not there', '#!/no/such/interpreter\n', 0o755],
  ])('exits with 127 for a program that %s, and writes a complete trace', async (_, content, mode) => {
    const place = new Place();
    place.write('program', content);
    chmodSync(place.path('program'), mode);
    const { peer, trace } = start(place, ['./program']);
    // mcpreel ends without any action of the client.
    const { status, stdout } = await peer.ended;
    expect({ status, stdout }).toEqual({ status: 127, stdout: '' });
    expectFailedStart(trace());
  });

  function expectFailedStart(trace: string, ...before: readonly unknown[]): void {
    expect(orderOf(trace)).toEqual(wellOrdered);
    const parsed = parseTrace(trace);
    expect(eventsOf(parsed, 'mcpreel.action')).toEqual([...before, { action: 'exit', error: expect.any(String) }]);
    expect(parsed.end).toMatchObject({ exitCode: 127 });
  }
});

it('runs a script without an interpreter line in the shell, as without mcpreel', async () => {
  const place = new Place();
  place.write('program', 'cat; echo "$1" >&2; exit 5\n');
  chmodSync(place.path('program'), 0o755);
  const server = [place.path('program'), 'word'];
  await expectSame(server, (peer) => peer.end('x'), { status: 5, stdout: 'x', stderr: 'word\n' });
});

it('writes a complete trace for each of several servers with the same command', async () => {
  const place = new Place();
  const peers = ['a', 'b', 'c'].map((name) => ({ name, peer: new Reeled(place, echoServer).peer }));
  const line = (name: string): string => `{"jsonrpc":"2.0","method":"${name}"}\n`;
  await Promise.all(peers.map(({ name, peer }) => peer.write(line(name)).then(() => peer.out.text(name))));
  for (const { name, peer } of peers) {
    expect(await peer.end(line(name))).toEqual({ status: 0, stdout: line(name).repeat(2), stderr: '' });
  }
  expect(place.files()).toEqual(['trace-2.jsonl', 'trace-3.jsonl', 'trace.jsonl']);
  const methods = place.files().map((file) => {
    expect(orderOf(place.read(file))).toEqual(wellOrdered);
    return parseTrace(place.read(file)).messages.map(({ payload }) => payload.method);
  });
  const sent = methods.map(([name]) => name);
  expect(sent.toSorted()).toEqual(['a', 'b', 'c']);
  expect(methods).toEqual(sent.map((name) => [name, name, name, name]));
});

function start(place: Place, server: readonly string[]): { peer: Peer; trace: () => string } {
  const reeled = new Reeled(place, server);
  return { peer: reeled.peer, trace: () => reeled.trace() };
}
