import { describe, expect, it } from 'vitest';
import { parseTrace } from '../support/recordings.ts';
import { scriptServer } from '../support/servers.ts';
import type { Ear, Peer } from './peer.ts';
import { type Drive, expectSame } from './side-by-side.ts';

type Output = 'out' | 'err';

/**
 * A server that writes lines endlessly to one output; for each input line it reports on the other how many were read.
 */
function floodingServer(flooded: Output): readonly string[] {
  const [flood, kept] = flooded === 'out' ? ['stdout', 'stderr'] : ['stderr', 'stdout'];
  return scriptServer(`
    let lines = 0;
    const flood = () => {
      while (process.${flood}.write('${'x'.repeat(999)}\\n')) lines++;
      process.${flood}.once('drain', () => { lines++; flood(); });
    };
    process.stdin.on('data', () => process.${kept}.write(lines + '.')).on('end', () => process.exit(4));
    flood();`);
}

/** Asks a server for its progress until it no longer advances. */
async function askUntilFull(peer: Peer, kept: Ear): Promise<void> {
  let standing = 0;
  for (let requested = 1, last = ''; standing < 20; requested++) {
    await peer.write('{"jsonrpc":"2.0","method":"how far?"}\n');
    await kept.text('.', requested);
    const far = kept.bytes().toString().split('.').at(-2) ?? '';
    standing = far === last ? standing + 1 : 0;
    last = far;
  }
}

describe.each([
  ['stdout', 'out', 'err'],
  ['stderr', 'err', 'out'],
] as const)('a client that does not read %s', (_, ignored, kept) => {
  it('a client that ignores one stream can still send requests and read the other stream', async () => {
    const drive: Drive<number> = async (peer) => {
      peer[ignored].pause();
      await askUntilFull(peer, peer[kept]);
      peer[ignored].resume();
      return (await peer.end()).status;
    };
    const trace = await expectSame(floodingServer(ignored), drive, 4);
    expect(parseTrace(trace).end).toMatchObject({ exitCode: 4 });
  });

  it('a client that ignores one stream can still stop the server', async () => {
    const drive: Drive<number> = async (peer) => {
      peer[ignored].pause();
      await askUntilFull(peer, peer[kept]);
      peer.signal('SIGTERM');
      return peer.exited;
    };
    const trace = await expectSame(floodingServer(ignored), drive, 143, ['--drain', '0.05']);
    expect(parseTrace(trace).end).toMatchObject({ exitCode: 143, signal: 'SIGTERM' });
  });
});

describe('a server that does not read', () => {
  const deafServer = scriptServer(`
    process.on('SIGHUP', () => fs.writeSync(1, 'hm.'));
    setInterval(() => {}, 1e6);
    fs.writeSync(1, 'ready.');`);

  it('a server that does not read can still send output and be stopped', async () => {
    const drive: Drive<number> = async (peer) => {
      await peer.out.text('ready.');
      // More than any pipe holds: the client's write does not finish while the server does not read.
      void peer.write(`{"jsonrpc":"2.0","method":"${'x'.repeat(8e6)}"}\n`);
      for (let times = 1; times <= 3; times++) {
        peer.signal('SIGHUP');
        await peer.out.text('hm.', times);
      }
      peer.signal('SIGTERM');
      return peer.exited;
    };
    const trace = await expectSame(deafServer, drive, 143);
    expect(parseTrace(trace).end).toMatchObject({ exitCode: 143 });
  });
});
