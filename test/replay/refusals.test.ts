import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AGE_ARMORED, AGE_KEY_FILE } from '../support/age-sample.ts';
import { CommandPlace } from '../support/command-place.ts';
import { partText } from '../support/trace-texts.ts';
import { answering, writeTalk } from './told-session.ts';

describe('errors of mcpreel replay', () => {
  it.each([
    [1, ['session.jsonl', '--', '/no/such/program'], 'Error: Cannot start "'],
    [1, ['session.jsonl', '--target-url', 'http://127.0.0.1:1/mcp'], 'Error: Cannot replay: '],
    [1, ['session.jsonl', '--', process.execPath, '-e', '0'], 'Error: Cannot replay: the server exited with status 0'],
    [1, ['none.json', '--', 'x'], 'Error: No file or session id "none.json"'],
    [
      1,
      ['answers.jsonl', '--format', 'trace', '--', 'x'],
      'Error: The session has no client messages to replay. Record one: mcpreel record',
    ],
    [1, ['session.jsonl', '--ignore-file', 'none.txt', '--', 'x'], 'Error: Cannot read none.txt: no such file'],
    [1, ['session.jsonl', '--select', 'tool:none', '--', 'x'], 'Error: No message of the session matches tool:none. '],
    [2, ['session.jsonl'], 'Error: No server given.'],
    [
      2,
      ['session.jsonl', '--target-url', 'http://h/mcp', '--', 'x'],
      'Error: The server is given twice: as a URL and as a command.',
    ],
    [2, ['session.jsonl', '--target-url', 'http://h/mcp', '--cwd', 'x'], 'Error: --cwd needs a server command.'],
    [2, ['session.jsonl', '--header', 'a: b', '--', 'x'], 'Error: --header needs a server over HTTP.'],
    [
      2,
      ['session.jsonl', '--ignore', 'total', '--', 'x'],
      'Error: Cannot use the ignored path "total": it does not start with "$".',
    ],
    [2, ['session.jsonl', '--select', 'tool:', '--', 'x'], 'Error: '],
    [2, ['session.jsonl', '--compare', 'exact', '--', 'x'], 'Error: Unknown --compare: exact.'],
    [2, ['session.jsonl', '--on-server-request', 'x', '--', 'x'], 'Error: Unknown --on-server-request: x.'],
    [2, ['session.jsonl', '--timeout', '0', '--', 'x'], 'Error: --timeout must be more than 0.'],
    [2, ['session.jsonl', '--learn', '1', '--', 'x'], 'Error: --learn 1 is not a whole number of at least 2.'],
    [
      2,
      ['session.jsonl', '--learn', '2', '--repeat', '2', '--', 'x'],
      'Error: --learn and --repeat cannot be used together.',
    ],
    [
      2,
      ['session.jsonl', '--learn', '2', '--update', '--', 'x'],
      'Error: --learn and --update cannot be used together.',
    ],
    [
      2,
      ['session.jsonl', '--repeat', '2', '--update', '--', 'x'],
      'Error: --repeat and --update cannot be used together.',
    ],
    [2, ['bare.jsonl', '--update', '--', 'x'], 'Error: Cannot rewrite bare.jsonl: it is in the format jsonrpc.'],
    [
      2,
      ['parts.jsonl', '--update', '--', 'x'],
      'Error: Cannot rewrite parts.jsonl: it is one of 2 parts. Merge them first: mcpreel export -f json',
    ],
    [
      2,
      ['session.age', '--identity', 'key.txt', '--update', '--', 'x'],
      'Error: Cannot rewrite session.age: it is encrypted. Decrypt it first.',
    ],
  ] as const)('exits with %i and a one-line error: %j', async (status, args, message) => {
    const place = new CommandPlace();
    writeTalk(place, [['get', 'x']]);
    place.write('bare.jsonl', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n{"jsonrpc":"2.0","id":1,"result":{}}\n');
    place.write(
      'answers.jsonl',
      '{"t":"2026-01-01T00:00:00Z","dir":"out","seq":0,"raw":{"jsonrpc":"2.0","method":"x"}}\n',
    );
    place.write('parts.jsonl', partText(1, [0, 2]));
    place.write('parts.part-2.jsonl', partText(2, [2, 4]));
    place.write('session.age', AGE_ARMORED);
    place.write('key.txt', AGE_KEY_FILE);
    const { code, stdout, stderr } = await place.run(['replay', ...args]);
    const lines = stderr.split('\n').filter((line) => line.startsWith('Error'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(message);
    expect({ code, stdout }).toEqual({ code: status, stdout: '' });
  });

  it('refuses to update a session from standard input', async () => {
    const place = new CommandPlace();
    const input = place.read(writeTalk(place, [['get', 'x']]));
    const { code, stderr } = await place.run(['replay', '-', '--update', '--', 'x'], { input });
    expect(stderr).toBe('Error: --update needs a file, got -. Pass the path of the session file.\n');
    expect(code).toBe(2);
  });

  it('reports the HTTP error for each message that a server refuses', async () => {
    const place = new CommandPlace();
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end();
    });
    server.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const file = writeTalk(place, [['get', 'x']]);
    const { code, stdout } = await place.run(['replay', file, '--target-url', `http://127.0.0.1:${port}/mcp`]);
    expect(stdout).toBe(
      [
        `  #000 > initialize error: HTTP 401 Unauthorized from 127.0.0.1:${port}`,
        `  #002 > notifications/initialized error: Not sent: the handshake failed: HTTP 401 Unauthorized from 127.0.0.1:${port}`,
        `  #003 > tools/call get error: Not sent: the handshake failed: HTTP 401 Unauthorized from 127.0.0.1:${port}`,
        'Results: 0/2 matched, 0 changed, 0 timed out, 2 failed\n',
      ].join('\n'),
    );
    expect(code).toBe(3);
  });

  it('stops the server and exits on Ctrl-C', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, [
      ['get', 'x'],
      ['hang', 'x'],
    ]);
    const running = place.start(['replay', file, '--timeout', '600', '--', ...answering({ get: 'x' })]);
    await running.sent('#003 > tools/call get match');
    running.signal('SIGINT');
    expect((await running.ended).code).toBe(130);
  });
});
