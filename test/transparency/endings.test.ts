import { describe, expect, it } from 'vitest';
import { parseTrace } from '../support/recordings.ts';
import { leavingServer, sayingServer, scriptServer } from '../support/servers.ts';
import { orderOf, wellOrdered } from './framing.ts';
import { type Seen, summary } from './peer.ts';
import { type Drive, expectSame } from './side-by-side.ts';

/** Like `expectSame`, and the trace must be complete and contain the status. */
async function expectSameEnd(
  server: readonly string[],
  drive: Drive<Seen>,
  sight: Partial<Seen>,
  flags: readonly string[] = [],
): Promise<void> {
  const seen: Seen = { status: 0, stdout: '', stderr: '', ...sight };
  const trace = await expectSame(server, drive, seen, flags);
  expect(orderOf(trace)).toEqual(wellOrdered);
  expect(parseTrace(trace).end).toMatchObject({ exitCode: seen.status });
}

/** Waits while the client keeps stdin open. */
const justWait: Drive<Seen> = (peer) => peer.ended;

describe('the exit code', () => {
  it.each([0, 1, 3, 255])('exits with the exit code of the server: %i', async (status) => {
    await expectSameEnd(scriptServer(`process.exit(${status})`), justWait, { status });
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGKILL', 137],
    ['SIGSEGV', 139],
    ['SIGABRT', 134],
  ] as const)('exits like a server that is killed by %s: %i', async (kill, status) => {
    const lastWords = { out: '{"jsonrpc":"2.0","method":"a"}\nhalf', err: 'oh' };
    const server = sayingServer({ ...lastWords, kill });
    await expectSameEnd(server, justWait, { status, stdout: lastWords.out, stderr: lastWords.err });
  });
});

describe('the end of stdin', () => {
  it('forwards the end of stdin to a server that answers only then', async () => {
    const server = scriptServer("const all = fs.readFileSync(0, 'utf8'); fs.writeSync(1, all.toUpperCase())");
    await expectSameEnd(server, (peer) => peer.end('{"id":1}\nhalf'), { stdout: '{"ID":1}\nHALF' });
  });

  it('exits with the server before stdin ends', async () => {
    await expectSameEnd(scriptServer("fs.writeSync(1, 'bye'); process.exit(4)"), justWait, {
      status: 4,
      stdout: 'bye',
    });
  });

  it('lets a server ignore the end of stdin until it gets a signal', async () => {
    const server = scriptServer(
      "process.stdin.on('end', () => fs.writeSync(1, 'so?')).resume(); setInterval(() => {}, 1e6)",
    );
    const drive: Drive<Seen> = async (peer) => {
      const ended = peer.end();
      await peer.out.text('so?');
      peer.signal('SIGTERM');
      return ended;
    };
    await expectSameEnd(server, drive, { status: 143, stdout: 'so?' });
  });
});

describe('the end of a server as its client sees it', () => {
  it('closes stdout when the server closes it, and keeps the server running', async () => {
    const script = "fs.writeSync(1, 'x'); fs.closeSync(1); process.stdin.on('data', (data) => fs.writeSync(2, data))";
    const drive: Drive<Seen> = async (peer) => {
      await peer.out.closed;
      await peer.write('still there?');
      await peer.err.text('still there?');
      return peer.end();
    };
    await expectSameEnd(scriptServer(script), drive, { stdout: 'x', stderr: 'still there?' });
  });

  it('the client’s writes fail after the server closes its stdin, and later output still arrives', async () => {
    const script = `
      process.on('SIGHUP', () => { fs.writeSync(1, ' bye'); process.exit(6); });
      setInterval(() => {}, 1e6);
      fs.closeSync(0);
      fs.writeSync(1, 'closed');`;
    const drive: Drive<Seen> = async (peer) => {
      await peer.out.text('closed');
      await peer.writeUntilBroken('{"jsonrpc":"2.0","method":"in vain"}\n');
      peer.signal('SIGHUP');
      return peer.ended;
    };
    await expectSameEnd(scriptServer(script), drive, { status: 6, stdout: 'closed bye' });
  });

  it('the client’s writes fail after the server exits', async () => {
    const drive: Drive<Seen> = async (peer) => {
      await peer.exited;
      await peer.writeUntilBroken('{"jsonrpc":"2.0","method":"in vain"}\n');
      return peer.ended;
    };
    await expectSameEnd(scriptServer("fs.writeSync(1, 'bye')"), drive, { stdout: 'bye' });
  });

  it.each([
    ['ends at once', 'process.exit(2)', 2],
    ['dies at once', "process.kill(process.pid, 'SIGKILL')", 137],
  ])('the client receives all of five megabytes from a server that %s', async (_, ending, status) => {
    const line = `{"jsonrpc":"2.0","method":"${'x'.repeat(5000)}"}\n`;
    const script = `for (let i = 0; i < 1000; i++) fs.writeSync(1, ${JSON.stringify(line)}); ${ending}`;
    await expectSameEnd(scriptServer(script), justWait, { status, stdout: summary(line.repeat(1000)) });
  });

  it('the client receives the output of a process that outlives the server', async () => {
    // The child notices at the end of its own stdin that the server is gone.
    const left = "process.stdin.on('end', () => fs.writeSync(1, 'late')).resume()";
    const script = `child_process.spawn(process.execPath, ['-e', ${JSON.stringify(left)}], { stdio: ['pipe', 1, 2] }).unref();
      fs.writeSync(1, 'early '); process.exit(3);`;
    await expectSameEnd(scriptServer(script), justWait, { status: 3, stdout: 'early late' });
  });

  it('exits with the server although a process that outlives it keeps its output open', async () => {
    const drive: Drive<number> = async (peer) => {
      await peer.out.text('\n');
      const status = await peer.exited;
      process.kill(Number(peer.out.bytes().toString()));
      return status;
    };
    const trace = await expectSame(leavingServer, drive, 3, ['--drain', '0.05']);
    expect(orderOf(trace)).toEqual(wellOrdered);
    expect(parseTrace(trace).end).toMatchObject({ exitCode: 3 });
  });
});

describe('a client that stops reading', () => {
  /** Closes one output, and sends a line at a time until the server can no longer answer. */
  const leaveAndAsk =
    (left: 'out' | 'err', kept: 'out' | 'err'): Drive<number> =>
    async (peer) => {
      await peer[left].text('ready\n');
      peer[left].leave();
      for (let requested = 1, wrote = true; wrote; requested++) {
        expect(requested, 'lines that went nowhere').toBeLessThan(20);
        await peer.write('{"jsonrpc":"2.0","method":"more"}\n');
        wrote = await peer[kept].text('wrote\n', requested).then(
          () => true,
          () => false,
        );
      }
      return peer.exited;
    };

  it.each([
    ['stdout', 'out', 'err', 1, 2],
    ['stderr', 'err', 'out', 2, 1],
  ] as const)('the server gets an error when it writes to a closed %s', async (_, left, kept, fd, other) => {
    const script = `
      fs.writeSync(${fd}, 'ready\\n');
      process.stdin.on('data', () => {
        try { fs.writeSync(${fd}, 'x\\n'); } catch (error) { process.exit(error.code === 'EPIPE' ? 9 : 1); }
        fs.writeSync(${other}, 'wrote\\n');
      });`;
    const trace = await expectSame(scriptServer(script), leaveAndAsk(left, kept), 9);
    expect(parseTrace(trace).end).toMatchObject({ exitCode: 9 });
  });

  it('the server is killed by SIGPIPE when the client stops reading', async () => {
    const server = ['sh', '-c', 'echo ready; while read -r line; do echo "$line"; echo wrote >&2; done'];
    const trace = await expectSame(server, leaveAndAsk('out', 'err'), 141);
    expect(parseTrace(trace).end).toMatchObject({ exitCode: 141, signal: 'SIGPIPE' });
  });

  it('the server gets an error in the middle of its output', async () => {
    const script = "try { for (;;) fs.writeSync(1, 'x\\n'); } catch { process.exit(9) }";
    const drive: Drive<number> = async (peer) => {
      await peer.out.text('x\n');
      peer.out.leave();
      return peer.exited;
    };
    const trace = await expectSame(scriptServer(script), drive, 9);
    expect(parseTrace(trace).end).toMatchObject({ exitCode: 9 });
  });
});
