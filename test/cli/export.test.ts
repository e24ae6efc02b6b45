import { chmodSync, mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { jsonLines, withoutSpace } from '../support/recordings.ts';
import { pings, seedExample, sessionText } from '../support/session-texts.ts';
import { asRoot, unless } from '../support/unless.ts';

/** Exports a session to stdout in another format, or in its own. */
async function convert(content: string, format: string): Promise<string> {
  const { code, stdout } = await new CommandPlace().run(['export', '-', '-f', format], { input: content });
  expect(code).toBe(0);
  return stdout;
}

/** A session with every field that a user or an unusual tool may add. */
const richSession = sessionText(
  [
    {
      payload: '{"jsonrpc":"2.0","id":1,"method":"a"}',
      more: '"reviewed": {"by": "Zoë", "score": 1.0}, "__proto__": [1e400]',
    },
    { from: '<', payload: '{"jsonrpc":"2.0","id":1,"result":{}}', more: '"correlated_id": "msg-001", "latency": 0.10' },
    {
      payload: '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"q":"MODIFIED"}}',
      more: '"modified": true, "original_payload": {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"q":"original"}}',
    },
    { from: '<', payload: '{"jsonrpc":"2.0","id":2,"result":{}}', more: '"correlated_id": null' },
    { payload: '{"jsonrpc":"2.0","id":"2","method":"b"}', more: '"transport": "sse", "dropped": true' },
  ],
  '"captured_by": {"tool": "by hand", "version": 1.0}, "constructor": null',
)
  .replace('10:00:01+00:00', '11:00:01.123456+01:00')
  .replace('10:00:02+00:00', '10:00:02.5Z')
  .replace('2026-03-04T10:00:03+00:00', '2026-03-04 10:00:03')
  .replace('2026-03-04T10:05:30+00:00', '2026-03-04T10:05:30.000001Z')
  .replace('python my_server.py', "'python'  my_server.py --name=$HOME")
  .replace('"metadata": {}', '"metadata": {"target": "x", "big": 12345678901234567890}');

describe('export', () => {
  it.each([
    ['in the short spelling', ['export', 'session.json', '-o', 'report.json']],
    [
      'in the longer spelling',
      'proxy export --session-file session.json --output report.json --output-format json'.split(' '),
    ],
  ])('writes a session file that only its owner can read, and reports the message count, %s', async (_, args) => {
    const place = new CommandPlace();
    place.write('session.json', sessionText(pings(12)));
    const { code, stdout, stderr } = await place.run(args);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Exported 12 messages to report.json\n', stderr: '' });
    expect(place.mode('report.json')).toBe(0o600);
    const { messages } = JSON.parse(place.read('report.json')) as { messages: unknown[] };
    expect(messages).toHaveLength(12);
    expect(place.files()).toEqual(['report.json', 'session.json']);
  });

  it('reports a single message as "1 message"', async () => {
    const place = new CommandPlace();
    const { stdout } = await place.run(['export', '-', '-o', 'one.json'], { input: sessionText(pings(1)) });
    expect(stdout).toBe('Exported 1 message to one.json\n');
  });

  it.each(['json', 'trace', 'jsonrpc'])('writes the same %s to stdout as to a file', async (format) => {
    const place = new CommandPlace();
    await place.run(['export', '-', '-o', 'out', '-f', format], { input: richSession });
    expect(await convert(richSession, format)).toBe(place.read('out'));
  });

  it('writes the members of a session file in the documented order, all eight of them', async () => {
    const bare = '{"messages":[{"payload":{"jsonrpc":"2.0","method":"a"},"direction":"client_to_server"}]}';
    const session = JSON.parse(await convert(bare, 'json')) as { messages: object[] };
    expect(Object.keys(session)).toEqual([
      'id',
      'started_at',
      'ended_at',
      'transport',
      'server_command',
      'server_url',
      'messages',
      'metadata',
    ]);
    expect(Object.keys(session.messages[0] ?? {}).join(' ')).toBe(
      'proxy_id sequence timestamp direction transport jsonrpc_id method correlated_id modified payload',
    );
  });

  it('writes a trace with a header, a line for each message and a footer', async () => {
    const lines = jsonLines(await convert(seedExample, 'trace'));
    expect(lines[0]).toMatchObject({
      v: 1,
      type: 'meta',
      startedAt: '2026-03-04T10:00:00.000Z',
      label: 'my_server',
      command: ['python', '-m', 'my_server'],
      id: '550e8400-e29b-41d4-a716-446655440000',
    });
    const { messages } = JSON.parse(seedExample) as { messages: { payload: unknown }[] };
    expect(lines.slice(1, 3)).toEqual([
      { t: '2026-03-04T10:00:01.000Z', dir: 'in', seq: 0, id: 'msg-001', raw: messages[0]?.payload },
      { t: '2026-03-04T10:00:02.000Z', dir: 'out', seq: 1, id: 'msg-002', corr: 'msg-001', raw: messages[1]?.payload },
    ]);
    expect(lines.slice(3)).toEqual([
      { t: '2026-03-04T10:05:30.000Z', type: 'end', exitCode: 0, reason: 'unknown', durationMs: 330_000 },
    ]);
  });

  it('writes bare messages, one per line, and reports on stderr what they do not hold', async () => {
    const place = new CommandPlace();
    const { code, stdout, stderr } = await place.run(['export', '-', '-f', 'jsonrpc'], {
      input: sessionText(pings(2)),
    });
    expect(code).toBe(0);
    expect(stdout).toBe('{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
    expect(stderr).toMatch(/^Not included in jsonrpc: [^\n]*times[^\n]*directions[^\n]*\n$/);
  });

  it('adds the given metadata to the session, and keeps the existing metadata', async () => {
    const place = new CommandPlace();
    place.write('a.json', '{"id":"a","messages":[],"metadata":{"n":1.0,"why":"old"}}');
    const flags = ['--meta', 'why=a bug', '--meta', 'key=a=b'];
    expect((await place.run(['export', 'a.json', ...flags, '-f', 'trace'])).stdout).toContain(
      '"metadata":{"n":1.0,"why":"a bug","key":"a=b"}',
    );
    expect(await place.run(['export', 'a.json', '--meta', 'why'])).toMatchObject({
      code: 2,
      stderr: 'Error: --meta why has no value. Use key=value.\n',
    });
  });

  it('writes nothing of a session that violates the format, even if only at its end', async () => {
    const call = (id: number): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"x","arguments":{}}}`;
    const messages = Array.from({ length: 3000 }, (_, id) => ({ payload: call(id === 2999 ? 0 : id) }));
    const { code, stdout, stderr } = await new CommandPlace().run(['export', '-', '-f', 'assay'], {
      input: sessionText(messages),
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Error: duplicate tools\/call request id "0" [^\n]+\n$/);
  });

  it('overwrites its own input if -o names it', async () => {
    const place = new CommandPlace();
    place.write('session.json', richSession);
    const { code } = await place.run(['export', 'session.json', '-o', 'session.json', '-f', 'trace']);
    expect(code).toBe(0);
    expect(place.read('session.json')).toBe(await convert(richSession, 'trace'));
  });
});

describe('a session file converted to a trace and back', () => {
  it('restores the documented example', async () => {
    const direct = await convert(seedExample, 'json');
    expect(direct).toBe(seedExample);
    const deps = await convert(await convert(seedExample, 'trace'), 'json');
    expect(withoutSpace(deps)).toBe(withoutSpace(seedExample));
  });

  it('loses nothing: modifications, unknown members, odd times, numbers and correlations', async () => {
    const direct = await convert(richSession, 'json');
    const deps = await convert(await convert(richSession, 'trace'), 'json');
    expect(deps).toBe(direct);
    expect(await convert(direct, 'json')).toBe(direct);
    // The direct export must not have lost anything either.
    expect(JSON.parse(direct)).toMatchObject(JSON.parse(richSession) as object);
    for (const text of [
      '"score": 1.0}',
      '"latency": 0.10',
      '[1e400]',
      '"version": 1.0}',
      '"big": 12345678901234567890}',
    ]) {
      expect(direct).toContain(text);
    }
    for (const text of [
      '11:00:01.123456+01:00',
      '10:00:02.5Z',
      '"2026-03-04 10:00:03"',
      '10:05:30.000001Z',
      "'python'  my",
    ]) {
      expect(direct).toContain(text);
    }
  });

  it('does not correlate a message that names no request with the request of the same id', async () => {
    const deps = JSON.parse(await convert(await convert(richSession, 'trace'), 'json')) as { messages: object[] };
    expect(deps.messages[1]).toHaveProperty('correlated_id', 'msg-001');
    expect(deps.messages[3]).toHaveProperty('correlated_id', null);
  });
});

describe('an output that cannot be written', () => {
  it.each([
    ['in a folder that does not exist', 'nowhere/out.json'],
    ['in the place of a folder', 'folder'],
    ['below a file', 'session.json/out.json'],
  ])('an output %s fails in one line', async (_, output) => {
    const place = new CommandPlace();
    place.write('session.json', seedExample);
    mkdirSync(place.path('folder'));
    const { code, stdout, stderr } = await place.run(['export', 'session.json', '-o', output]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^Error: Cannot write ${output}: [^\\n]+\\n$`));
    expect(place.files()).toEqual(['session.json']);
  });

  it('an output in a read-only folder fails in one line', unless(asRoot), async () => {
    const place = new CommandPlace();
    place.write('session.json', seedExample);
    mkdirSync(place.path('locked'));
    chmodSync(place.path('locked'), 0o500);
    const { code, stdout, stderr } = await place.run(['export', 'session.json', '-o', 'locked/out.json']);
    chmodSync(place.path('locked'), 0o700);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('Error: Cannot write locked/out.json: permission denied\n');
  });
});
