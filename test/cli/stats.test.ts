import { describe, expect, it } from 'vitest';
import { recordCareless } from '../support/careless-recording.ts';
import { CommandPlace } from '../support/command-place.ts';
import { type SessionMessage, sessionText } from '../support/session-texts.ts';

const TOOLS = '{"tools":[{"name":"read"},{"name":"spare","description":"€"}]}';

const request = (id: number, method: string, params = '{}'): SessionMessage => ({
  payload: `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`,
});
const answer = (id: number, result = '{"content":[]}'): SessionMessage => ({
  from: '<',
  payload: `{"jsonrpc":"2.0","id":${id},"result":${result}}`,
});

/** Entries one second apart: a listing, two parallel calls, one that failed and one that hangs. */
const SESSION = sessionText([
  request(1, 'tools/list'),
  answer(1, TOOLS),
  request(2, 'tools/call', '{"name":"read"}'),
  request(3, 'tools/call', '{"name":"read"}'),
  answer(3, '{"content":[],"isError":true}'),
  answer(2),
  request(4, 'tools/call', '{"name":"ghost"}'),
]);

const NO_TIMES = { p50_ms: null, p95_ms: null, p99_ms: null, max_ms: null };
const NO_CALLS = { calls: 0, ok: 0, errors: 0, pending: 0, cancelled: 0, late: 0, streams: 0 };
const REST = { exact: true, human_ms: 0 };
const READ = {
  ...NO_CALLS,
  calls: 2,
  ok: 1,
  errors: 1,
  p50_ms: 1000,
  p95_ms: 3000,
  p99_ms: 3000,
  max_ms: 3000,
  ...REST,
};
const GHOST = { ...NO_CALLS, calls: 1, pending: 1, ...NO_TIMES, ...REST };

const SESSION_STATS = {
  messages: 7,
  events: 0,
  calls: {
    ...NO_CALLS,
    calls: 4,
    ok: 2,
    errors: 1,
    pending: 1,
    p50_ms: 1000,
    p95_ms: 3000,
    p99_ms: 3000,
    max_ms: 3000,
    ...REST,
    sent_bytes: 272,
    received_bytes: 209,
  },
  tools: [
    { name: 'read', definition_bytes: 15, ...READ, sent_bytes: 142, received_bytes: 111 },
    { name: 'ghost', definition_bytes: null, ...GHOST, sent_bytes: 72, received_bytes: 0 },
    { name: 'spare', definition_bytes: 36, ...NO_CALLS, ...NO_TIMES, ...REST, sent_bytes: 0, received_bytes: 0 },
  ],
  methods: [
    {
      method: 'tools/call',
      direction: 'client_to_server',
      ...READ,
      calls: 3,
      pending: 1,
      sent_bytes: 214,
      received_bytes: 111,
    },
    {
      method: 'tools/list',
      direction: 'client_to_server',
      ...NO_CALLS,
      calls: 1,
      ok: 1,
      p50_ms: 1000,
      p95_ms: 1000,
      p99_ms: 1000,
      max_ms: 1000,
      ...REST,
      sent_bytes: 58,
      received_bytes: 98,
    },
  ],
  definition_bytes: 51,
  never_called: ['spare'],
  not_advertised: ['ghost'],
};

describe('inspect --stats', () => {
  it('prints a table of tools and one of methods, and lists unused and unknown tools', async () => {
    const { code, stdout } = await new CommandPlace().run(['inspect', '--stats', '-'], { input: SESSION });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Session: 550e8400-e29b-41d4-a716-446655440000
Server: my_server
Messages: 7
Calls: 4, 1 error, 1 pending

TOOL   CALLS  ERRORS  PENDING     P50     P95     P99     MAX   SENT  RECEIVED  DEFINITION
read       2       1        0  1.00 s  3.00 s  3.00 s  3.00 s  142 B     111 B        15 B
ghost      1       0        1       -       -       -       -   72 B       0 B           -
spare      0       0        0       -       -       -       -    0 B       0 B        36 B

METHOD        CALLS  ERRORS  PENDING     P50     P95     P99     MAX   SENT  RECEIVED
> tools/call      3       1        1  1.00 s  3.00 s  3.00 s  3.00 s  214 B     111 B
> tools/list      1       0        0  1.00 s  1.00 s  1.00 s  1.00 s   58 B      98 B

Never called (1 of 2 tools, 36 B of definitions): spare
Called but not listed: ghost
`,
    });
  });

  it('prints one JSON object with --json', async () => {
    const { stdout } = await new CommandPlace().run(['inspect', '--stats', '--json', '-'], { input: SESSION });
    expect(JSON.parse(stdout)).toEqual({
      session: '550e8400-e29b-41d4-a716-446655440000',
      label: 'my_server',
      format: 'json',
      started_at: '2026-03-04T10:00:00+00:00',
      ...SESSION_STATS,
      problems: 0,
    });
  });

  it('prints zero counts for a session without calls', async () => {
    const { code, stdout } = await new CommandPlace().run(['inspect', '--stats', '-'], { input: sessionText([]) });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/Messages: 0\nCalls: 0\n$/) });
  });

  it('prints no durations for a transcript without timestamps', async () => {
    const input = [request(1, 'ping'), answer(1)].map(({ payload }) => `${payload}\n`).join('');
    const { stdout } = await new CommandPlace().run(['inspect', '--stats', '--json', '-', '--format', 'jsonrpc'], {
      input,
    });
    expect(JSON.parse(stdout)).toMatchObject({ calls: { calls: 1, ok: 1, ...NO_TIMES } });
  });

  it('counts only calls that match a filter, with their outcome in the whole session', async () => {
    const input = sessionText([
      request(1, 'tools/call', '{"name":"slow"}'),
      { from: '<', payload: '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}' },
      { payload: '{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}' },
      answer(1),
      request(2, 'tools/call', '{"name":"slow"}'),
      { payload: '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}' },
      request(3, 'tools/call', '{"name":"other"}'),
      answer(3),
      answer(9, '{"said":"nothing"}'),
    ]);
    const stats = async (filter: string): Promise<unknown> => {
      const { stdout } = await new CommandPlace().run(['inspect', '--stats', '--json', '--filter', filter, '-'], {
        input,
      });
      return JSON.parse(stdout);
    };
    const slow = { calls: 2, ok: 1, pending: 0, cancelled: 1, max_ms: 2000, human_ms: 1000 };
    expect(await stats('tool:slow')).toMatchObject({ messages: 3, calls: slow, tools: [{ name: 'slow', ...slow }] });
    expect(await stats('nothing or method:notifications/*')).toMatchObject({ messages: 2, calls: { calls: 0 } });
  });

  it('escapes control characters in names', async () => {
    const input = sessionText([request(1, 'tools/call', '{"name":"a\\u001b[2J\\nb"}')]);
    const { stdout } = await new CommandPlace().run(['inspect', '--stats', '-'], { input });
    expect(stdout).toContain('\na\\u001b[2J\\nb ');
  });
});

describe('stats', () => {
  it('aggregates sessions by server, day and tool', async () => {
    const place = new CommandPlace();
    place.write('a.json', SESSION);
    place.write('b.json', SESSION.replace('python my_server.py', 'other').replaceAll('2026-03-04T', '2026-03-05T'));
    place.write('c.json', SESSION);
    const { code, stdout } = await place.run(['stats', 'a.json', 'b.json', 'c.json']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Sessions: 3
Messages: 21
Calls: 12, 3 errors, 3 pending

SERVER     SESSIONS  CALLS  ERRORS  PENDING     P50     P95     P99     MAX   SENT  RECEIVED  DEFINITION
my_server         2      8       2        2  1.00 s  3.00 s  3.00 s  3.00 s  544 B     418 B        51 B
other             1      4       1        1  1.00 s  3.00 s  3.00 s  3.00 s  272 B     209 B        51 B

DAY         CALLS  ERRORS  PENDING     P50     P95     P99     MAX   SENT  RECEIVED
2026-03-04      8       2        2  1.00 s  3.00 s  3.00 s  3.00 s  544 B     418 B
2026-03-05      4       1        1  1.00 s  3.00 s  3.00 s  3.00 s  272 B     209 B

TOOL             CALLS  ERRORS  PENDING     P50     P95     P99     MAX   SENT  RECEIVED  DEFINITION
my_server/read       4       2        0  1.00 s  3.00 s  3.00 s  3.00 s  284 B     222 B        15 B
my_server/ghost      2       0        2       -       -       -       -  144 B       0 B           -
my_server/spare      0       0        0       -       -       -       -    0 B       0 B        36 B
other/read           2       1        0  1.00 s  3.00 s  3.00 s  3.00 s  142 B     111 B        15 B
other/ghost          1       0        1       -       -       -       -   72 B       0 B           -
other/spare          0       0        0       -       -       -       -    0 B       0 B        36 B

my_server: Never called (1 of 2 tools, 36 B of definitions): spare
my_server: Called but not listed: ghost
other: Never called (1 of 2 tools, 36 B of definitions): spare
other: Called but not listed: ghost
`,
    });
  });

  it('prints one JSON object with --json, and names the skipped files', async () => {
    const place = new CommandPlace();
    place.write('a.json', SESSION);
    place.write('bad.json', 'nonsense');
    const { code, stdout, stderr } = await place.run(['stats', 'bad.json', 'a.json', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Skipped bad\.json: [^\n]+\n$/) });
    expect(JSON.parse(stdout)).toEqual({
      sessions: 1,
      messages: 7,
      calls: SESSION_STATS.calls,
      servers: [{ server: 'my_server', sessions: 1, ...SESSION_STATS }],
      days: [{ day: '2026-03-04', ...SESSION_STATS.calls }],
      skipped: [{ file: 'bad.json', reason: expect.any(String) }],
      problems: 0,
    });
  });

  it('never pairs a response in one file with a request in another', async () => {
    const place = new CommandPlace();
    const files = [request(1, 'ping'), answer(1)].map((message, n) => place.write(`${n}.json`, sessionText([message])));
    const { stdout } = await place.run(['stats', '--json', ...files]);
    expect(JSON.parse(stdout)).toMatchObject({ sessions: 2, messages: 2, calls: { calls: 1, ok: 0, pending: 1 } });
  });

  it('fails on an invalid file with --strict, and if no file is valid', async () => {
    const place = new CommandPlace();
    place.write('a.json', SESSION);
    place.write('bad.json', 'nonsense');
    expect(await place.run(['stats', 'a.json', 'bad.json', '--strict'])).toMatchObject({ code: 1, stdout: '' });
    expect(await place.run(['stats', 'bad.json'])).toMatchObject({ code: 1, stdout: '' });
  });

  it('reads all recorded sessions by default, and selected ones by id', async () => {
    const place = new CommandPlace();
    expect((await place.run(['stats'])).stderr).toBe('Error: No recordings yet. Pass a file or a session id.\n');
    await recordCareless(place, 'one.json', [['weather', 'Rome']]);
    await recordCareless(place, 'two.json', [['weather', 'Oslo']]);
    expect((await place.run(['stats'])).stdout).toMatch(/^Sessions: 2\n.*^careless\/weather +2 +0 /ms);
    const { id } = JSON.parse(place.read('two.json')) as { id: string };
    expect((await place.run(['stats', id.slice(0, 8)])).stdout).toMatch(/^Sessions: 1\n/);
  });
});
