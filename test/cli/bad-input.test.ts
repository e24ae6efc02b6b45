import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { pings, seedExample, sessionText } from '../support/session-texts.ts';

/** Nine messages; the eighth has an invalid direction. */
const withBadMessage = sessionText(
  pings(9).map((message, index) => (index === 7 ? { ...message, more: '"direction": "up"' } : message)),
);
const COMPLAINT = 'direction "up" is not client_to_server or server_to_client';

/** An error is one line without a stack trace. */
const ONE_ERROR = /^Error: [^\n]+\n$/;

describe('an invalid message', () => {
  it('an invalid message is reported in one line with the file as given, and the others are printed', async () => {
    const place = new CommandPlace();
    place.write('folder/session.json', withBadMessage);
    const { code, stdout, stderr } = await place.run(['inspect', './folder/session.json']);
    expect(stderr).toBe(`./folder/session.json: message 7: ${COMPLAINT}\n`);
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(3)).toEqual([
      'Messages: 8',
      '',
      ...Array.from({ length: 7 }, (_, n) => `  #00${n} > ping id=${n + 1}`),
      '  #007 > ping id=9',
      '',
    ]);
  });

  it('an invalid message is counted in the summary', async () => {
    const { stdout } = await new CommandPlace().run(['inspect', '--json', '-'], { input: withBadMessage });
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      summary: { messages: 8, problems: 1 },
    });
  });

  it('an invalid message from stdin is reported with "standard input" as its file', async () => {
    const { stderr } = await new CommandPlace().run(['inspect', '-'], { input: withBadMessage });
    expect(stderr).toBe(`standard input: message 7: ${COMPLAINT}\n`);
  });

  it('an invalid message does not prevent the export of the others', async () => {
    const place = new CommandPlace();
    const file = place.write('session.json', withBadMessage);
    const { code, stdout, stderr } = await place.run(['export', file, '-o', 'out.json']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Exported 8 messages to out.json\n' });
    expect(stderr).toBe(`session.json: message 7: ${COMPLAINT}\n`);
    expect((JSON.parse(place.read('out.json')) as { messages: unknown[] }).messages).toHaveLength(8);
  });

  it('reports at most 20 invalid messages and counts the rest', async () => {
    const bad = pings(50).map((message) => ({ ...message, more: '"direction": "up"' }));
    const { stderr } = await new CommandPlace().run(['inspect', '-'], { input: sessionText(bad) });
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(23);
    expect(lines.slice(19)).toEqual([
      `standard input: message 19: ${COMPLAINT}`,
      '… and 30 more like these.',
      `50 parts of standard input could not be read; the first: message 0: ${COMPLAINT}`,
      `Error: Cannot read any message in standard input: message 0: ${COMPLAINT}`,
    ]);
  });

  it.each([['inspect'], ['inspect', '-v'], ['inspect', '--json'], ['export'], ['export', '-f', 'jsonrpc']])(
    'fails %s with --strict before anything is printed',
    async (...command) => {
      const place = new CommandPlace();
      const file = place.write('session.json', withBadMessage);
      const { code, stdout, stderr } = await place.run([...command, file, '--strict']);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe(`Error: session.json: message 7: ${COMPLAINT}\n`);
    },
  );

  it('writes no output with --strict', async () => {
    const place = new CommandPlace();
    place.write('session.json', withBadMessage);
    const { code, stdout } = await place.run(['export', 'session.json', '--strict', '-o', 'out.json']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(place.files()).toEqual(['session.json']);
  });

  it('leaves an existing output file unchanged with --strict', async () => {
    const place = new CommandPlace();
    place.write('session.json', withBadMessage);
    place.write('out.json', 'precious');
    const { code } = await place.run(['export', 'session.json', '--strict', '-o', 'out.json']);
    expect(code).toBe(1);
    expect(place.read('out.json')).toBe('precious');
    expect(place.files()).toEqual(['out.json', 'session.json']);
  });

  it('accepts a session without invalid messages with --strict', async () => {
    const { code, stderr } = await new CommandPlace().run(['inspect', '-', '--strict'], { input: seedExample });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('a file that is not a recording', () => {
  it('reports a file that does not exist', async () => {
    const { code, stdout, stderr } = await new CommandPlace().run(['inspect', 'x.json']);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error: No file or session id "x.json". List sessions: mcpreel sessions\n',
    });
  });

  const garbage = Uint8Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256);
  it.each<[what: string, content: string | Uint8Array]>([
    ['is empty', ''],
    ['is blank', '\n\n  \n'],
    ['is binary', garbage],
    ['is zeros', new Uint8Array(5000)],
    ['is text', 'Dear diary,\ntoday I was recorded.\n'],
    ['is some other JSON object', '{"name": "mcpreel", "version": "0.1.0"}'],
    ['is a JSON list', '[1, 2, 3]'],
    ['is a JSON number', '5'],
    ['is other JSON Lines', '{"level":"info"}\n{"level":"warn"}\n'],
    ['ends within the header of a session file', seedExample.slice(0, 120)],
    ['ends within the first key', '{"i'],
    ['is nothing but open brackets', '['.repeat(100_000)],
    ['is nothing but open braces', '{"a":'.repeat(100_000)],
  ])('a file that %s is reported in one line', async (_, content) => {
    const place = new CommandPlace();
    const { code, stdout, stderr } = await place.run(['inspect', place.write('x.json', content)]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(ONE_ERROR);
    expect(stderr).toContain('x.json');
  });

  it.each(['folder', 'über'])('a folder is reported in one line: %s', async (name) => {
    const place = new CommandPlace();
    mkdirSync(place.path(name));
    const { code, stdout, stderr } = await place.run(['export', name, '-o', 'out.json']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(`Error: ${name} is a folder. Pass a file in it.\n`);
    expect(place.files()).toEqual([]);
  });

  it('reports in one line that standard input cannot be written to a temporary file', async () => {
    const env = { TMPDIR: '/nowhere' };
    const { code, stdout, stderr } = await new CommandPlace().runBuilt(['inspect', '-'], { input: seedExample, env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('Error: Cannot write to /nowhere: no such file or folder. Set TMPDIR to a writable folder.\n');
  });

  it('reports empty standard input in one line', async () => {
    const { code, stdout, stderr } = await new CommandPlace().run(['inspect', '-']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(ONE_ERROR);
  });

  it.each(['json', 'trace', 'jsonrpc'])('fails with one line if the file is read as %s anyway', async (format) => {
    const place = new CommandPlace();
    place.write('x', 'Dear diary');
    const { code, stdout, stderr } = await place.run(['inspect', 'x', '--format', format]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(ONE_ERROR);
  });

  it('recognizes the output of an import, which is not a recording', async () => {
    const place = new CommandPlace();
    place.write('talk.jsonl', '{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await place.run(['import', 'talk.jsonl']);
    const { code, stderr } = await place.run(['inspect', 'talk.trace.jsonl']);
    expect([code, stderr]).toEqual([
      1,
      'Error: talk.trace.jsonl is not a known recording: it is a normalized trace for Assay, the output of ' +
        'mcpreel import without --to. To convert a transcript to a recording, pass --to trace.\n',
    ]);
  });

  it('prints a stack trace if MCPREEL_DEBUG is set', async () => {
    const { stderr } = await new CommandPlace().run(['inspect', 'x.json'], { env: { MCPREEL_DEBUG: '1' } });
    expect(stderr).toMatch(
      /^Error: No file or session id "x\.json". List sessions: mcpreel sessions\n[\s\S]*\n {4}at /,
    );
  });
});

describe('a trace line that is not an entry', () => {
  const META = '{"v":1,"type":"meta","startedAt":"2026-03-04T10:00:00.000Z","label":"x","command":["x"]}\n';
  const line = (members: string): string => `{"t":"2026-03-04T10:00:01.000Z",${members}}\n`;
  const PING = line('"dir":"in","raw":{"jsonrpc":"2.0","id":1,"method":"ping"}');
  const PONG = line('"dir":"out","raw":{"jsonrpc":"2.0","id":1,"result":{}}');
  const END = '{"t":"2026-03-04T10:00:02.000Z","type":"end","exitCode":0,"durationMs":2000}\n';

  it.each([
    ['"dir":"sideways","raw":{}', 'dir "sideways" is not one of in, out, event, command and telemetry'],
    ['"dir":7,"raw":{}', 'dir 7 is not one of in, out, event, command and telemetry'],
    ['"dir":"in"', 'raw is missing'],
    ['"dir":"out","seq":4', 'raw is missing'],
    ['"raw":{"jsonrpc":"2.0","method":"ping"}', 'dir and type are missing'],
  ])('a line with %s is reported with its number, and fails with --strict and in check', async (members, what) => {
    const place = new CommandPlace();
    const file = place.write('t.jsonl', META + PING + line(members) + PONG + END);
    const complaint = `t.jsonl: line 3: ${what}\n`;
    const listed = await place.run(['inspect', file]);
    expect(listed).toMatchObject({ code: 0, stderr: complaint });
    expect(listed.stdout).toContain('Messages: 2\n');
    expect(await place.run(['inspect', file, '--strict'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `Error: ${complaint}`,
    });
    expect(await place.run(['check', file])).toMatchObject({
      code: 1,
      stderr: `${complaint}No findings in 1 session; 1 file could not be read completely\n`,
    });
    expect(await place.run(['import', file])).toMatchObject({ code: 0, stderr: expect.stringContaining(complaint) });
    expect(await place.run(['import', file, '--strict'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Error: ${complaint}`),
    });
  });

  it.each([
    ['a line of an unknown type', META + PING + line('"type":"turn","role":"user"') + PONG + END],
    ['an unknown type with an unknown dir', META + PING + line('"type":"x","dir":"sideways"') + PONG + END],
    ['a line that says it is no message', META + PING + line('"dir":"telemetry"') + PONG + END],
    ['a second meta line', META + PING + PONG + META + END],
    ['a torn last line', META + PING + PONG + END.slice(0, 30)],
    ['a torn last line with a line feed', `${META + PING + PONG + END.slice(0, 30)}\n`],
    ['a last line torn within a character', Buffer.from(`${META}${PING}${PONG}{"t":"ü`).subarray(0, -1)],
  ])('%s is accepted by inspect, import and check', async (_, content) => {
    const place = new CommandPlace();
    const file = place.write('t.jsonl', content);
    for (const args of [
      ['inspect', file, '--strict'],
      ['check', file],
      ['import', file, '--strict'],
    ]) {
      expect(await place.run(args)).toMatchObject({ code: 0 });
    }
  });

  it.each(['5', 'null', '"Ready"'])('raw %s counts as stray output for inspect and check', async (raw) => {
    const place = new CommandPlace();
    const file = place.write('t.jsonl', META + PING + line(`"dir":"out","raw":${raw}`) + PONG + END);
    expect(await place.run(['inspect', file, '--strict'])).toMatchObject({ code: 0 });
    const { code, stdout } = await place.run(['check', file]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^t\.jsonl: .*stray-output: The server printed a line to stdout/);
  });

  it('a message that was encoded as a string is reported, and fails if there is no other', async () => {
    const place = new CommandPlace();
    const encoded = JSON.stringify('{"jsonrpc":"2.0","method":"notifications/x"}');
    place.write('t.jsonl', META + PING + line(`"dir":"in","raw":${encoded}`) + PONG + END);
    const complaint = 't.jsonl: line 3: raw is a string that contains JSON\n';
    expect(await place.run(['check', 't.jsonl'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(complaint),
    });
    expect(await place.run(['inspect', '--strict', 't.jsonl'])).toMatchObject({
      code: 1,
      stderr: `Error: ${complaint}`,
    });
    place.write('u.jsonl', META + line(`"dir":"in","raw":${encoded}`) + END);
    expect(await place.run(['inspect', 'u.jsonl'])).toMatchObject({ code: 1, stdout: '' });
  });

  it('a last line that was never an object is reported, even without a line feed', async () => {
    const place = new CommandPlace();
    const file = place.write('t.jsonl', `${META}${PING}${PONG}Killed`);
    expect(await place.run(['check', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('t.jsonl: line 4: not a JSON object\n'),
    });
  });

  it('check reports the findings of the other lines, and exits with 1 rather than 3', async () => {
    const place = new CommandPlace();
    const file = place.write('t.jsonl', META + PING + line('"dir":"up","raw":{}') + END);
    const args = ['check', file, '--junit', 'r.xml', '--sarif', 'r.sarif'];
    const { code, stdout } = await place.run(args);
    expect(code).toBe(1);
    expect(stdout).toBe('t.jsonl: #000: hung-call: The server never responded to ping. Check its log.\n');
    const reason = '1 part of t.jsonl could not be read; the first: line 3: dir "up" is not one of';
    expect(place.read('r.xml')).toContain(reason.replaceAll('"', '&quot;'));
    expect(place.read('r.xml')).toContain('hung-call');
    expect(place.read('r.sarif')).toContain(reason.replaceAll('"', '\\"'));
  });

  it('fails every command if not a single entry could be read', async () => {
    const place = new CommandPlace();
    const file = place.write('t.jsonl', META + line('"dir":"up","raw":{}') + line('"dir":"down","raw":{}') + END);
    const error =
      'Error: Cannot read any message in t.jsonl: line 2: dir "up" is not one of in, out, event, command and telemetry\n';
    for (const args of [
      ['inspect'],
      ['inspect', '--calls'],
      ['check'],
      ['import'],
      ['export', '-o', 'out.json'],
      ['stats'],
    ]) {
      const { code, stdout, stderr } = await place.run([...args, file]);
      expect([args, code, stdout]).toEqual([args, 1, '']);
      expect(stderr).toContain(error);
      expect(stderr).toContain('2 parts of t.jsonl could not be read; the first: line 2: ');
    }
    expect(place.files()).toEqual(['t.jsonl']);
  });
});

describe('a record of another tool whose direction is unknown', () => {
  const RAW = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const TIME = '"2026-03-04T10:00:00Z"';
  it.each([
    [
      'mcpsnoop',
      (dir: string) => `{"session_id":"s","ts":${TIME},"direction":"${dir}","raw":${RAW}}`,
      'c2s',
      'direction "sideways" is not one of c2s, s2c, stderr, meta',
    ],
    [
      'mcp-rec',
      (dir: string) => `{"ts":1,"dir":"${dir}","msg":${RAW}}`,
      'client->server',
      'dir "sideways" is not one of client->server, server->client',
    ],
    [
      'mcporter',
      (dir: string) => `${RAW.slice(0, -1)},"_meta":{"dir":"${dir}","server":"s","ts":${TIME}}}`,
      'send',
      'dir "sideways" is not one of send, recv, lifecycle',
    ],
    [
      'mcp-cassette',
      (dir: string) => `{"type":"frame","t":1,"dir":"${dir}","frame":${RAW}}`,
      'c2s',
      'dir "sideways" is not one of c2s, s2c',
    ],
  ])(
    'a record of %s is reported with its line and fails with --strict and in check',
    async (format, record, good, what) => {
      const place = new CommandPlace();
      const start =
        format === 'mcp-cassette' ? `{"type":"header","cassetteVersion":2,"startedAt":${TIME}}` : record(good);
      const file = place.write('x.jsonl', `${start}\n${record(good)}\n${record('sideways')}\n`);
      const complaint = `x.jsonl: line 3: ${what}\n`;
      expect(await place.run(['inspect', file])).toMatchObject({ code: 0, stderr: complaint });
      expect(await place.run(['inspect', file, '--strict'])).toMatchObject({ code: 1, stderr: `Error: ${complaint}` });
      expect(await place.run(['check', file])).toMatchObject({ code: 1, stderr: expect.stringContaining(complaint) });
    },
  );
});

describe('a truncated recording', () => {
  it('reads a truncated session file up to the last complete message', async () => {
    const place = new CommandPlace();
    const file = place.write('session.json', seedExample.slice(0, seedExample.indexOf('"msg-002"') + 30));
    const { code, stdout, stderr } = await place.run(['inspect', file]);
    expect(code).toBe(0);
    expect(stdout).toContain('\nMessages: 1\n\n  #000 > initialize id=1\n');
    expect(stderr).toMatch(/^session\.json: session: cut off[^\n]*\n$/);
  });

  it('reads a session file truncated at several places, with one warning', async () => {
    const place = new CommandPlace();
    const messages = seedExample.indexOf('"messages"') + '"messages": ['.length;
    for (const end of [messages + 700, seedExample.length - 150, seedExample.length - 3]) {
      const { code, stderr } = await place.run(['inspect', place.write('session.json', seedExample.slice(0, end))]);
      expect({ end, code, stderr }).toEqual({
        end,
        code: 0,
        stderr: expect.stringMatching(/^session\.json: [^\n]*\n$/),
      });
    }
  });

  it('reads a truncated trace up to its incomplete last line', async () => {
    const place = new CommandPlace();
    const whole = await place.run(['export', '-f', 'trace', '-'], { input: seedExample });
    const torn = whole.stdout.slice(0, whole.stdout.indexOf('"dir":"out"') + 60);
    const { code, stdout, stderr } = await place.run(['inspect', place.write('trace.jsonl', torn)]);
    expect(code).toBe(0);
    expect(stdout).toContain('\nMessages: 1\n\n  #000 > initialize id=1\n');
    expect(stderr).toBe('trace.jsonl: line 3: cut off in the middle\n');
  });

  it('a truncated recording fails with --strict', async () => {
    const { code, stdout, stderr } = await new CommandPlace().run(['inspect', '-', '--strict'], {
      input: seedExample.slice(0, 900),
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(ONE_ERROR);
  });
});
