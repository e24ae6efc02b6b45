import { describe, expect, it, vi } from 'vitest';
import { Place } from '../support/place.ts';
import { eventsOf, parseTrace } from '../support/recordings.ts';
import { lingeringServer, stubbornServer } from '../support/servers.ts';
import { orderOf, wellOrdered } from './framing.ts';
import { Lifeline } from './lifeline.ts';
import { Peer, type Seen } from './peer.ts';
import { type Drive, expectSame, Reeled, reelCommand } from './side-by-side.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

describe('a signal', () => {
  it.each(signals)('%s reaches the server each time, and the server can keep running', async (signal) => {
    const drive: Drive<string[]> = async (peer) => {
      await peer.out.text('ready');
      for (let times = 1; times <= 3; times++) {
        peer.signal(signal);
        await peer.out.text(signal, times);
      }
      await peer.write('still there?\n');
      await peer.out.text('"number":1');
      await peer.end();
      return (
        peer.out
          .bytes()
          .toString()
          .match(/SIG\w+/g) ?? []
      );
    };
    const trace = await expectSame(stubbornServer, drive, [signal, signal, signal]);
    expect(eventsOf(parseTrace(trace), 'mcpreel.action')).toEqual(Array(3).fill({ action: 'signal', signal }));
    expect(orderOf(trace)).toEqual(wellOrdered);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s that ends the server sets the exit code: %i', async (signal, status) => {
    const drive: Drive<Seen> = async (peer) => {
      await peer.out.text('ready');
      peer.signal(signal);
      return peer.ended;
    };
    const server = ['sh', '-c', 'echo ready; exec cat'];
    const trace = await expectSame(server, drive, { status, stdout: 'ready\n', stderr: '' });
    expect(parseTrace(trace).end).toMatchObject({ exitCode: status, signal });
  });

  it('a signal still reaches the server after the end of stdin', async () => {
    const script =
      "process.on('SIGTERM', () => process.exit(5)); process.stdin.on('end', () => console.log('end')).resume()";
    const drive: Drive<Seen> = async (peer) => {
      const ended = peer.end();
      await peer.out.text('end');
      peer.signal('SIGTERM');
      return ended;
    };
    const server = [process.execPath, '-e', `setInterval(() => {}, 1e6); ${script}`];
    await expectSame(server, drive, { status: 5, stdout: 'end\n', stderr: '' });
  });
});

describe('a server that ignores the end of its stdin', () => {
  /** Lets a client check repeatedly, for this long, that the server is still running. */
  async function staysFor(ms: number, ask: (time: number) => Promise<void>): Promise<void> {
    const until = performance.now() + ms;
    for (let time = 1; performance.now() < until; time++) await ask(time);
  }

  it('a server that also ignores SIGTERM is killed with its child processes', async () => {
    const place = new Place();
    const lifeline = new Lifeline(place);
    const server = lingeringServer({ lifeline: lifeline.path, ignores: ['EOF', 'SIGTERM'], child: true });
    const { peer, trace } = start(place, server, ['--kill-after', '0.05']);
    const held = await Promise.all([lifeline.holds('server'), lifeline.holds('child')]);
    const ended = peer.end();
    await peer.out.text('EOF\n', 2);
    peer.signal('SIGTERM');
    expect((await ended).status).toBe(137);
    await Promise.all(held.map(({ gone }) => gone));
    expect(parseTrace(trace()).end).toMatchObject({ exitCode: 137, signal: 'SIGKILL' });
  });

  it('a server that ignored SIGTERM before the end of its stdin is killed, too', async () => {
    const place = new Place();
    const lifeline = new Lifeline(place);
    const server = lingeringServer({ lifeline: lifeline.path, ignores: ['EOF', 'SIGTERM'] });
    const { peer } = start(place, server, ['--kill-after', '0.05']);
    await lifeline.holds('server');
    peer.signal('SIGTERM');
    await peer.out.text('SIGTERM\n');
    expect((await peer.end()).status).toBe(137);
  });

  it('a server is left running while its client lives and does not stop it', async () => {
    const place = new Place();
    const lifeline = new Lifeline(place);
    const server = lingeringServer({ lifeline: lifeline.path, ignores: ['EOF', 'SIGHUP'] });
    const { peer } = start(place, server, ['--kill-after', '0.02', '--orphan-after', '0.02']);
    await lifeline.holds('server');
    const ended = peer.end();
    await peer.out.text('EOF\n');
    await staysFor(200, (time) => {
      peer.signal('SIGHUP');
      return peer.out.text('SIGHUP\n', time);
    });
    peer.signal('SIGTERM');
    expect((await ended).status).toBe(143);
  });

  it('a server that ignores SIGTERM is left running while its stdin is open', async () => {
    const place = new Place();
    const lifeline = new Lifeline(place);
    const server = lingeringServer({ lifeline: lifeline.path, ignores: ['SIGTERM'] });
    const { peer } = start(place, server, ['--kill-after', '0.02']);
    await lifeline.holds('server');
    await staysFor(200, (time) => {
      peer.signal('SIGTERM');
      return peer.out.text('SIGTERM\n', time);
    });
    expect((await peer.end()).status).toBe(0);
  });
});

describe('when the client is killed', () => {
  // A step that must not happen has a timeout of one minute, so that a busy machine does not look like a server that
  // ignores signals.
  const flags = (orphanAfter: number, killAfter: number): string[] => [
    ...['--orphan-after', String(orphanAfter)],
    ...['--kill-after', String(killAfter)],
  ];

  it.each([
    ['a server that ends with its input ends', [], flags(60, 60), { exitCode: 0 }],
    ['a server that ignores that is told to stop', ['EOF'], flags(0.05, 60), { exitCode: 143, signal: 'SIGTERM' }],
    [
      'a server that ignores both is killed',
      ['EOF', 'SIGTERM'],
      flags(0.05, 0.05),
      { exitCode: 137, signal: 'SIGKILL' },
    ],
  ] as const)('%s, with its child processes, and the trace is complete', async (_, ignores, times, end) => {
    const place = new Place();
    const lifeline = new Lifeline(place);
    const server = lingeringServer({ lifeline: lifeline.path, ignores, child: true });
    const client = startClientOf(reelCommand(server, times), place);
    const held = await Promise.all([lifeline.holds('server'), lifeline.holds('child')]);
    client.signal('SIGKILL');
    await Promise.all(held.map(({ gone }) => gone));
    await vi.waitFor(() => expect(parseTrace(place.read('trace.jsonl')).end).toMatchObject(end), {
      interval: 10,
    });
    expect(orderOf(place.read('trace.jsonl'))).toEqual(wellOrdered);
  });

  it('a server whose mcpreel is killed too still sees the end of its stdin', async () => {
    const place = new Place();
    const lifeline = new Lifeline(place);
    const { peer, trace } = start(place, lingeringServer({ lifeline: lifeline.path, ignores: [] }));
    const { gone } = await lifeline.holds('server');
    // The server starts first; mcpreel forwards nothing before the trace is started.
    await vi.waitFor(() => expect(trace()).toContain('"type":"meta"'), { interval: 10 });
    peer.signal('SIGKILL');
    await gone;
    expect(parseTrace(trace()).end).toBeUndefined();
  });
});

function start(
  place: Place,
  server: readonly string[],
  flags?: readonly string[],
): { peer: Peer; trace: () => string } {
  const reeled = new Reeled(place, server, flags);
  return { peer: reeled.peer, trace: () => reeled.trace() };
}

/** A client that starts a server, holds its pipes and sends nothing. */
function startClientOf(server: readonly string[], place: Place): Peer {
  const script =
    "const [program, ...args] = process.argv.slice(1); child_process.spawn(program, args, { stdio: 'pipe' })";
  return new Peer([process.execPath, '-e', script, '--', ...server], place.folder, place.environment());
}
