import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { echoServer, sayingServer, scriptServer } from '../support/servers.ts';
import { Peer, type Seen, summary } from './peer.ts';
import { reelCommand } from './side-by-side.ts';

const input = '{"jsonrpc":"2.0","id":1,"method":"ping"}\r\nnot the end';

/**
 * Runs a shell line in which `"$@"` is the server, once directly and once behind mcpreel, and expects the same results.
 * Node gives its children sockets; a shell gives them pipes and files, which behave differently when they close.
 */
async function expectSameInShell(line: string, server: readonly string[], sight: Partial<Seen>): Promise<Place> {
  const place = new Place();
  place.write('input', input);
  const run = (command: readonly string[]): Promise<Seen> =>
    new Peer(['sh', '-c', line, 'sh', ...command], place.folder, place.environment()).end();
  const seen: Seen = { status: 0, stdout: '', stderr: '', ...sight };
  expect(await run(server), 'as it is').toEqual(seen);
  expect(await run(reelCommand(server)), 'behind mcpreel').toEqual(seen);
  return place;
}

/** A script that continues when a file exists. It ends when its working folder is removed after the test. */
function waitForFile(name: string): string {
  return `while (!fs.existsSync('${name}')) if (!fs.existsSync('input')) process.exit(1);`;
}

describe('mcpreel in a shell', () => {
  it('passes bytes from one pipe to the next', async () => {
    await expectSameInShell('cat input | "$@" | cat', echoServer, { stdout: input });
  });

  it('reads stdin from a file and writes output to a file', async () => {
    const place = await expectSameInShell('"$@" < input > output 2> errors', echoServer, {});
    expect(readFileSync(place.path('output'), 'latin1')).toBe(input);
    expect(readFileSync(place.path('errors'), 'latin1')).toBe('');
  });

  it('reads from and writes to /dev/null', async () => {
    await expectSameInShell('"$@" < /dev/null > /dev/null', sayingServer({ out: 'x', err: 'y', exit: 3 }), {
      status: 3,
      stderr: 'y',
    });
  });

  it('delivers megabytes to a slower reader', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const server = scriptServer(`for (let i = 0; i < 300; i++) fs.writeSync(1, ${JSON.stringify(line.repeat(100))})`);
    await expectSameInShell('"$@" < /dev/null | { read -r first; cat; }', server, {
      stdout: summary(line.repeat(29_999)),
    });
  });

  it('exits with the status of the server, and lets the next command write', async () => {
    await expectSameInShell('"$@"; echo $?; "$@"', sayingServer({ exit: 200 }), { status: 200, stdout: '200\n' });
  });
});

describe('mcpreel over pipes', () => {
  it('the reader sees the end of stdout when the server closes it, and the server keeps running', async () => {
    const script = `fs.writeSync(1, 'x'); fs.closeSync(1); ${waitForFile('seen')} fs.writeSync(2, 'and so on')`;
    const line = 'rm -f seen; "$@" | { cat; touch seen; }';
    await expectSameInShell(line, scriptServer(script), { stdout: 'x', stderr: 'and so on' });
  });

  it('the writer is stopped when the server closes its stdin', async () => {
    // `yes` ends only when its reader is gone.
    const script = `fs.closeSync(0); ${waitForFile('stopped')} fs.writeSync(1, 'alone')`;
    await expectSameInShell('rm -f stopped; { yes; touch stopped; } | "$@"', scriptServer(script), { stdout: 'alone' });
  });

  it('the writer is stopped when the server ends', async () => {
    await expectSameInShell('yes | "$@"', sayingServer({ out: 'bye' }), { stdout: 'bye' });
  });

  it('the server is stopped when the reader exits', async () => {
    const script = "try { for (;;) fs.writeSync(1, 'x\\n'); } catch { process.exit(9) }";
    const line = '{ "$@" < /dev/null; echo "status $?" >&2; } | head -n 1';
    await expectSameInShell(line, scriptServer(script), { stdout: 'x\n', stderr: 'status 9\n' });
  });
});
