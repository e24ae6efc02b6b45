import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { eventsOf, type Json, jsonLines, parseTrace } from '../support/recordings.ts';
import { SESSION_ID } from '../support/trace-texts.ts';

/** A trace line; without `conv` it belongs to conversation 0. */
type Line = Json & { readonly conv?: number };

const ask = (id: string, method: string, more: Json = {}): Line => ({
  dir: 'in',
  id,
  ...more,
  raw: { jsonrpc: '2.0', id: 1, method },
});
const answer = (id: string, corr: string, more: Json = {}): Line => ({
  dir: 'out',
  id,
  corr,
  ...more,
  raw: { jsonrpc: '2.0', id: 1, result: {} },
});
const beside = (kind: string, raw: Json, more: Json = {}): Line => ({
  type: 'event',
  dir: 'event',
  kind,
  ...more,
  raw,
});

/** A recording of an HTTP listener. */
function recording(...lines: readonly Line[]): string {
  const meta = {
    v: 1,
    type: 'meta',
    startedAt: '2026-03-04T10:00:00.000Z',
    label: 'remote',
    command: ['https://example.com/mcp'],
    id: SESSION_ID,
    transport: 'streamable-http',
    url: 'https://example.com/mcp',
    metadata: {},
  };
  const numbered = lines.map(({ raw, ...line }, seq) => ({ t: '2026-03-04T10:00:01.000Z', ...line, seq, raw }));
  return [meta, ...numbered].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Two clients with sessions and one without, interleaved, all using the same request ids. */
const threeClients = recording(
  beside('mcpreel.action', { action: 'listening' }),
  ask('a1', 'initialize', { conv: 1, http: { exchange: 1 } }),
  ask('b1', 'initialize', { conv: 2, http: { exchange: 2 } }),
  ask('c1', 'ping', { http: { exchange: 3 } }),
  answer('b2', 'b1', { conv: 2, http: { exchange: 2 } }),
  beside('http.exchange', { exchange: 2 }, { conv: 2 }),
  answer('a2', 'a1', { conv: 1, http: { exchange: 1 } }),
  beside('http.exchange', { exchange: 1 }, { conv: 1 }),
  answer('c2', 'c1', { http: { exchange: 3 } }),
  beside('http.exchange', { exchange: 3 }),
  beside('http.exchange', { exchange: 4 }, { conv: 0 }),
  beside('mcpreel.gap', { missed: 1 }, { conv: 2 }),
);

function placeWith(trace: string): CommandPlace {
  const place = new CommandPlace();
  place.write('trace.jsonl', trace);
  return place;
}

describe('export --conversation', () => {
  it.each([
    [0, ['c1', 'c2'], [3, 4], 0],
    [1, ['a1', 'a2'], [1], 0],
    [2, ['b1', 'b2'], [2], 1],
  ])('writes only conversation %i, with its exchanges and the events of the whole session', async (...row) => {
    const [conversation, ids, exchanges, gaps] = row;
    const place = placeWith(threeClients);
    const { code, stdout, stderr } = await place.run([
      'export',
      'trace.jsonl',
      '-f',
      'trace',
      '--conversation',
      String(conversation),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const trace = parseTrace(stdout);
    expect(trace.messages.map(({ id }) => id)).toEqual(ids);
    expect(trace.messages.map(({ answers }) => answers)).toEqual([undefined, ids[0]]);
    expect(eventsOf(trace, 'http.exchange')).toEqual(exchanges.map((exchange) => ({ exchange })));
    expect(eventsOf(trace, 'mcpreel.action')).toHaveLength(1);
    expect(eventsOf(trace, 'mcpreel.gap')).toHaveLength(gaps);
  });

  it('numbers the messages of a session file from 0, and names the conversation of each entry', async () => {
    const place = placeWith(threeClients);
    const { stdout } = await place.run(['export', 'trace.jsonl', '--conversation', '2']);
    const file = JSON.parse(stdout) as { messages: Json[]; events: Json[] };
    expect(file.messages.map(({ sequence, conversation }) => [sequence, conversation])).toEqual([
      [0, 2],
      [1, 2],
    ]);
    expect(file.events.map(({ kind, conversation }) => [kind, conversation])).toEqual([
      ['mcpreel.action', undefined],
      ['http.exchange', 2],
      ['mcpreel.gap', 2],
    ]);
  });

  it.each(['json', 'streamable-http', 'jsonrpc'])(
    'lists the conversations of the session if the given one does not exist: %s',
    async (format) => {
      const place = placeWith(threeClients);
      const outcome = await place.run(['export', 'trace.jsonl', '-f', format, '-o', 'out', '--conversation', '7']);
      expect(outcome).toMatchObject({
        code: 1,
        stdout: '',
        stderr: 'Error: The session has no conversation 7. Its conversations: 0, 1 and 2.\n',
      });
      expect(place.files()).toEqual(['trace.jsonl']);
    },
  );

  it('reports a session without messages, and does not list hundreds of conversations', async () => {
    const args = ['export', 'trace.jsonl', '--conversation', '7'];
    const none = await placeWith(recording(beside('http.exchange', { exchange: 1 }, { conv: 7 }))).run(args);
    expect(none.stderr).toBe('Error: The session has no conversation 7. It has no messages.\n');
    const many = Array.from({ length: 300 }, (_, n) => ask(`m${n}`, 'ping', { conv: n + 8 }));
    const { stderr } = await placeWith(recording(...many)).run(args);
    expect(stderr).toMatch(
      /^Error: The session has no conversation 7\. Its conversations: 8, 9, [\d, ]+ and 288 more\.\n$/,
    );
  });

  it.each(['-1', '1.5', 'x', ''])('requires a whole number, and refuses %j', async (given) => {
    const { code } = await placeWith(threeClients).run(['export', 'trace.jsonl', `--conversation=${given}`]);
    expect(code).toBe(2);
  });
});

describe('a format for a single conversation', () => {
  it.each(['streamable-http', 'http-sse'])('refuses a session with several conversations: %s', async (format) => {
    const { code, stdout, stderr } = await placeWith(threeClients).run(['export', 'trace.jsonl', '-f', format]);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Error: The session has several conversations: 0, 1 and 2. Choose one with --conversation N.\n',
    });
  });

  it.each(['jsonrpc', 'inspector'])('says what %s loses of several conversations', async (format) => {
    const place = placeWith(threeClients);
    const mixed = await place.run(['export', 'trace.jsonl', '-f', format]);
    expect(mixed.stderr).toMatch(/\d marks that tell several conversations apart/);
    const chosen = await place.run(['export', 'trace.jsonl', '-f', format, '--conversation', '1']);
    expect(chosen.stderr).not.toContain('conversations');
  });

  it.each(['streamable-http', 'http-sse', 'inspector'])('says that %s is ordered by time on import', async (format) => {
    const place = new CommandPlace();
    const line = (second: number, dir: string, members: string): string =>
      `{"t":"2026-03-04T10:00:0${second}Z","dir":"${dir}","raw":{"jsonrpc":"2.0","id":1,${members}}}\n`;
    place.write('back.jsonl', line(5, 'in', '"method":"ping"') + line(4, 'out', '"result":{}'));
    place.write('forth.jsonl', line(4, 'in', '"method":"ping"') + line(5, 'out', '"result":{}'));
    const back = await place.run(['export', 'back.jsonl', '-f', format]);
    expect(back.stderr).toContain('1 message whose time goes back (import orders by time)');
    const forth = await place.run(['export', 'forth.jsonl', '-f', format]);
    expect(forth.stderr).not.toContain('goes back');
  });

  it('writes the chosen conversation', async () => {
    const place = placeWith(threeClients);
    const outcome = await place.run(['export', 'trace.jsonl', '-f', 'streamable-http', '--conversation', '1']);
    expect(outcome.code).toBe(0);
    expect((JSON.parse(outcome.stdout) as { entries: Json[] }).entries.map((entry) => Object.keys(entry))).toEqual([
      ['timestamp_ms', 'request'],
      ['timestamp_ms', 'response'],
    ]);
  });
});

describe('inspect', () => {
  const head = `Session: ${SESSION_ID}\nTransport: streamable-http\nServer URL: https://example.com/mcp\n`;

  it('marks the messages of every conversation but 0', async () => {
    const modified = { conv: 3, modified: true, original: {} };
    const trace = recording(ask('a', 'ping', modified), ask('b', 'ping', { conv: 0 }), answer('c', 'a', { conv: 3 }));
    expect((await placeWith(trace).run(['inspect', 'trace.jsonl'])).stdout).toBe(`${head}Messages: 3

  #000 > ping id=1 conv=3 [MODIFIED]
  #001 > ping id=1
  #002 < (response) id=1 corr=a conv=3
`);
  });

  it('shows one conversation, each message with its number in the session', async () => {
    const place = placeWith(threeClients);
    const args = ['inspect', 'trace.jsonl', '--conversation'];
    expect((await place.run([...args, '2'])).stdout).toBe(`${head}Messages: 2

  #001 > initialize id=1 conv=2
  #003 < (response) id=1 corr=b1 conv=2
`);
    const lines = jsonLines((await place.run([...args, '0', '--json'])).stdout);
    expect(lines.map(({ sequence }) => sequence)).toEqual([2, 5, undefined]);
    expect(lines.at(-1)).toMatchObject({ summary: { messages: 2, events: 3 } });
    expect(await place.run([...args, '7'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Error: The session has no conversation 7. Its conversations: 0, 1 and 2.\n',
    });
  });
});

describe('the HTTP exchanges of a recording', () => {
  const challenge = 'Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource", scope="a b"';
  const refused = (status: number): string =>
    recording(
      beside('http.exchange', {
        exchange: 1,
        method: 'POST',
        path: '/mcp',
        status,
        requestHeaders: [['Accept', 'application/json, text/event-stream']],
        responseHeaders: [['WWW-Authenticate', challenge]],
      }),
      ask('a', 'tools/list', { http: { exchange: 2 } }),
      answer('b', 'a', { http: { exchange: 2 } }),
    );

  it.each([
    [401, true],
    [403, false],
  ])('an import shows the authorization challenge only if the status is 401: %i', async (status, visible) => {
    const place = placeWith(refused(status));
    const { code } = await place.run(['import', 'trace.jsonl', '--out-trace', 'out.jsonl']);
    expect(code).toBe(0);
    expect(jsonLines(place.read('out.jsonl'))[0]).toMatchObject({
      meta: {
        mcp: {
          authorization_discovery: {
            visible,
            source_kind: visible ? 'www_authenticate' : 'unknown',
            resource_metadata_visible: visible,
            scope_challenge_visible: visible,
          },
        },
      },
    });
  });

  it('an export removes only the credentials of HTTP exchanges', async () => {
    const requestHeaders = [
      ['Authorization', 'Bearer s3cret-1'],
      ['Proxy-Authorization', 'Basic s3cret-2'],
      ['Cookie', 'sid=s3cret-3'],
      ['X-Api-Key', 's3cret-4'],
      ['Mcp-Session-Id', 'session-1'],
      ['MCP-Protocol-Version', '2026-07-28'],
      ['Mcp-Method', 'tools/call'],
      ['Mcp-Name', 'get_token'],
      ['Mcp-Param-City', 'Berlin'],
      ['Last-Event-ID', 'evt-10'],
    ];
    const exchange = {
      exchange: 1,
      path: '/mcp?token=s3cret-5&code=s3cret-6Vx81bQ&page=2',
      requestHeaders,
      responseHeaders: [
        ['Set-Cookie', 'sid=s3cret-7; Path=/'],
        ['WWW-Authenticate', challenge],
      ],
    };
    const place = placeWith(recording(beside('http.exchange', exchange)));
    const { stdout, stderr } = await place.run(['export', 'trace.jsonl', '-f', 'trace']);
    expect(stdout).not.toContain('s3cret');
    expect(stderr).toMatch(/^Redacted 7 secrets: /);
    const [kept] = eventsOf(parseTrace(stdout), 'http.exchange') as (typeof exchange)[];
    expect(kept?.requestHeaders.slice(4)).toEqual(requestHeaders.slice(4));
    expect(kept?.responseHeaders[1]).toEqual(['WWW-Authenticate', challenge]);
    expect(kept?.path).toMatch(/^\/mcp\?token=\[REDACTED:[^\]]+\]&code=\[REDACTED:[^\]]+\]&page=2$/);
  });
});
