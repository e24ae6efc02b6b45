import { describe, expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { eventsOf, parseTrace } from '../support/recordings.ts';
import { echoServer, leavingServer, sayingServer } from '../support/servers.ts';

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ');

/** The ways to specify the server to record. */
const spellings: [name: string, args: (server: readonly string[]) => string[]][] = [
  ['mcpreel --', (server) => ['--', ...server]],
  ['mcpreel --target-command … --', (server) => ['--target-command', quoted(server), '--']],
  ['mcpreel record --', (server) => ['record', '--', ...server]],
  ['mcpreel record --target-command', (server) => ['record', '--target-command', quoted(server)]],
  ['mcpreel proxy start --', (server) => ['proxy', 'start', '--', ...server]],
  [
    'mcpreel proxy start --transport stdio --target-command',
    (server) => ['proxy', 'start', '--transport', 'stdio', '--target-command', quoted(server)],
  ],
];

describe.each(spellings)('%s', (_, args) => {
  it('forwards the bytes and the exit code of the server to the client', async () => {
    const out = 'Welcome!\n{"jsonrpc":"2.0","method":"a"}\n';
    const place = new Place();
    const { code, stdout, stderr } = await place.run(args(sayingServer({ out, err: 'hm\n', exit: 7 })));
    expect({ code, stdout }).toEqual({ code: 7, stdout: out });
    // Behind a client, stderr belongs to the server; a user who names the command sees the path of the recording.
    const isWrapper = args([])[0]?.startsWith('-') === true;
    expect(stderr).toBe(isWrapper ? 'hm\n' : `mcpreel: Recording to ${place.path(place.traces()[0] ?? '')}\nhm\n`);
  });

  it('records the messages of both sides', async () => {
    const place = new Place();
    const { code } = await place.run(args(echoServer), { input: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n' });
    expect(code).toBe(0);
    const { meta, messages, end } = parseTrace(place.trace());
    expect(meta).toMatchObject({ command: echoServer, transport: 'stdio', label: 'echo' });
    expect(messages.map(({ direction }) => direction)).toEqual(['in', 'out']);
    expect(end).toMatchObject({ exitCode: 0 });
  });
});

describe('byte transparency', () => {
  const message = '{"jsonrpc":"2.0","method":"a"}';
  it.each<[what: string, bytes: string | Uint8Array]>([
    ['lines that end with CR LF', `${message}\r\n${message}\r\n`],
    ['blank lines', `\n\n${message}\n  \n\r\n`],
    ['a last line without an end', `${message}\n${message}`],
    ['text that is no JSON', `Listening on stdio\n\t${message} trailing\n`],
    ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22, 0x7d, 0x0a, 0x00, 0x80, 0x0a)],
    ['a byte order mark', `\uFEFF${message}\n`],
    ['white space, escapes and numbers as they were written', '{ "id" : 1.0,\t"method":"\\u0061\\/" , "x":1e400 }\n'],
    ['a message of four megabytes', `{"jsonrpc":"2.0","method":"a","params":"${'é'.repeat(2 << 20)}"}\n`],
    ['thirty thousand lines', `${message}\n`.repeat(30_000)],
    ['nothing at all', ''],
  ])('forwards %s byte for byte in both directions', async (_, bytes) => {
    const { code, bytes: received, stderr } = await new Place().run(['--', ...echoServer], { input: bytes });
    expect(received.equals(Buffer.from(bytes)), 'the bytes are the same').toBe(true);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('forwards what the server writes before any request and after its input has ended', async () => {
    const running = new Place().start(['--', process.execPath, '-e', BOTH_ENDS]);
    await running.sent('first');
    running.end();
    expect(await running.ended).toMatchObject({ code: 0, stdout: 'first\nlast\n', stderr: '' });
  });

  it('forwards bytes at once, without waiting for the next line', async () => {
    const running = new Place().start(['--', ...echoServer]);
    for (const line of ['{"id":1}', '{"id":2}', 'half a li']) {
      running.write(`${line}`);
      await running.sent(line);
    }
    running.end();
    expect((await running.ended).code).toBe(0);
  });
});

const BOTH_ENDS = "console.log('first'); process.stdin.on('end', () => console.log('last')).resume()";

describe('the exit code', () => {
  it.each([0, 1, 2, 42, 255])('exits with the exit code of the server: %i', async (exit) => {
    const place = new Place();
    const { code } = await place.run(['--', ...sayingServer({ exit })]);
    expect(code).toBe(exit);
    expect(parseTrace(place.trace()).end).toMatchObject({ exitCode: exit });
  });

  it.each([
    ['SIGKILL', 137],
    ['SIGTERM', 143],
    ['SIGABRT', 134],
  ] as const)('exits with 128 plus the signal number for a server killed by %s', async (kill, status) => {
    const place = new Place();
    const { code, signal, stderr } = await place.run(['--', ...sayingServer({ kill })]);
    expect({ code, signal, stderr }).toEqual({ code: status, signal: null, stderr: '' });
    expect(parseTrace(place.trace()).end).toMatchObject({ exitCode: status, signal: kill });
  });

  it.each<[what: string, args: string[], why: string]>([
    ['does not exist', ['--', 'no-such-program', 'x'], '"no-such-program": command not found'],
    ['does not exist below a file', ['--', `${process.execPath}/x`], `"${process.execPath}/x": command not found`],
    ['is a folder', ['--', '/'], '"/": is a folder'],
    [
      'has no folder to run in',
      ['--cwd', 'nowhere', '--', process.execPath],
      `"${process.execPath}": no such working folder: nowhere`,
    ],
    [
      'does not exist, in the longer spelling',
      ['record', '--target-command', 'no-such-program'],
      '"no-such-program": command not found',
    ],
  ])('exits with 127, one line on stderr and a complete recording for a program that %s', async (_, args, why) => {
    const place = new Place();
    const { code, stdout, stderr } = await place.run(args, { input: '{"id":1}\n' });
    expect({ code, stdout }).toEqual({ code: 127, stdout: '' });
    const lines = stderr.split('\n').filter((line) => !line.startsWith('mcpreel: Recording to '));
    expect(lines).toEqual([expect.stringContaining(`Error: Cannot start ${why}`), '']);
    const trace = parseTrace(place.trace());
    expect(eventsOf(trace, 'mcpreel.action')).toEqual([
      { action: 'undelivered', dir: 'in' },
      { action: 'exit', error: expect.any(String) },
    ]);
    expect(trace.end).toMatchObject({ exitCode: 127 });
  });

  it('exits even if a leftover child process keeps the output of the server open', async () => {
    const place = new Place();
    const running = place.start(['--', ...leavingServer]);
    await running.sent('\n');
    const { code, stdout, stderr } = await running.ended;
    process.kill(Number(stdout));
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(parseTrace(place.trace()).end).toMatchObject({ exitCode: 3 });
  });

  it('exits with a complete recording when the client disconnects', async () => {
    const place = new Place();
    const running = place.start(['--', ...echoServer]);
    running.write('{"jsonrpc":"2.0","method":"a"}\n');
    await running.sent('"a"');
    running.stopReading();
    running.end('{"jsonrpc":"2.0","method":"b"}\n');
    const { signal, stderr } = await running.ended;
    expect(signal).toBeNull();
    expect(stderr).not.toMatch(/^mcpreel: /m);
    const { messages, end } = parseTrace(place.trace());
    expect(messages.slice(0, 3).map(({ payload }) => payload.method)).toEqual(['a', 'a', 'b']);
    expect(end).toBeDefined();
  });
});

describe('the server command', () => {
  it('splits --target-command like a shell, without running one', async () => {
    const line = `'${process.execPath}' -p 'process.argv.slice(1).join()' "a b" c\\ d 'e"f' $HOME '*' ';' --label x`;
    const { stdout } = await new Place().run(['record', '--target-command', line]);
    expect(stdout).toBe('a b,c d,e"f,$HOME,*,;,--label,x\n');
  });

  it.each([
    ['mcpreel', []],
    ['mcpreel record', ['record']],
    ['mcpreel proxy start', ['proxy', 'start']],
  ])('does not parse flags of the server command after %s --', async (_, command) => {
    const words = ['--label', 'mine', '--help', '--', '-o', 'demo'];
    const server = [process.execPath, '-p', 'process.argv.slice(1).join()', '--', ...words];
    const { code, stdout } = await new Place().run([...command, '--', ...server]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${words.join()}\n` });
  });
});
