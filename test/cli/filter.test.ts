import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { type Json, jsonLines } from '../support/recordings.ts';
import { SESSION_ID } from '../support/trace-texts.ts';

/** A trace line, `ms` after the previous one if given. */
type Line = Json & { readonly ms?: number };

function recording(...lines: readonly Line[]): string {
  let at = Date.UTC(2026, 2, 4, 10);
  const meta = { v: 1, type: 'meta', startedAt: new Date(at).toISOString(), label: 'fs', command: ['node', 'fs.js'] };
  const numbered = lines.map(({ ms = 1, raw, ...line }, seq) => {
    at += ms;
    return { t: new Date(at).toISOString(), ...line, seq, raw };
  });
  const all = [{ ...meta, id: SESSION_ID, transport: 'stdio', metadata: {} }, ...numbered];
  return all.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const call = (id: string, tool: string, more: Json = {}): Line => ({
  dir: 'in',
  id,
  ...more,
  raw: { jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool } },
});
const answer = (corr: string, result: Json = {}, more: Json = {}): Line => ({
  dir: 'out',
  id: `${corr}-answer`,
  corr,
  ...more,
  raw: { jsonrpc: '2.0', id: corr, result },
});
const cancel = (requestId: string): Line => ({
  dir: 'in',
  id: `${requestId}-cancelled`,
  raw: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } },
});
const beside = (kind: string, raw: Json, more: Json = {}): Line => ({
  type: 'event',
  dir: 'event',
  kind,
  ...more,
  raw,
});

const talk = recording(
  call('good', 'search'),
  call('bad', 'read', { ms: 10 }),
  answer('good', { said: 'needle' }, { ms: 600 }),
  beside('stdio.stderr', { text: 'needle in a line' }),
  answer('bad', { isError: true }),
  call('gone', 'read'),
  cancel('gone'),
  answer('gone'),
  call('stopped', 'search'),
  cancel('stopped'),
  call('open', 'write'),
  answer('stray'),
);

/** The proxy ids of the messages that match a filter. */
async function left(content: string, ...args: string[]): Promise<unknown[]> {
  const { code, stdout, stderr } = await new CommandPlace().run(['inspect', '-', '--json', ...args], {
    input: content,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return jsonLines(stdout).flatMap((line) => ('proxy_id' in line ? [line.proxy_id] : []));
}

describe('inspect --filter', () => {
  it.each([
    ['tool:search', ['good', 'good-answer', 'stopped']],
    ['tool:read -kind:response', ['bad', 'gone']],
    ['method:notifications/*', ['gone-cancelled', 'stopped-cancelled']],
    ['status:ok', ['good', 'good-answer', 'stray-answer']],
    ['status:error', ['bad', 'bad-answer']],
    ['status:late', ['gone', 'gone-answer']],
    ['status:cancelled', ['stopped']],
    ['status:pending', ['open']],
    ['-status:ok tool:search', ['stopped']],
    ['tool:read or status:pending', ['bad', 'bad-answer', 'gone', 'gone-answer', 'open']],
    ['dur:>=601ms', ['good', 'bad', 'good-answer', 'bad-answer']],
    ['dur:>0.601s <', ['good-answer', 'bad-answer']],
    ['needle', ['good-answer']],
    ['/NEED(LE)/i', ['good-answer']],
    ['server:FS id:open', ['open']],
    ['server:other', []],
  ])('%s keeps only the matching messages', async (filter, ids) => {
    expect(await left(talk, '--filter', filter)).toEqual(ids);
  });

  it('keeps the message numbers of the session, and reports how many messages it has', async () => {
    const { stdout } = await new CommandPlace().run(['inspect', '-', '--filter', 'tool:write or id:stray'], {
      input: talk,
    });
    expect(stdout).toBe(`Session: ${SESSION_ID}
Transport: stdio
Server command: node fs.js
Messages: 2 of 11

  #009 > tools/call id=open
  #010 < (response) id=stray corr=stray
`);
  });

  it('reports the message count for a filter that matches nothing, without a list', async () => {
    const { code, stdout } = await new CommandPlace().run(['inspect', '-', '--filter', 'tool:x'], { input: talk });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/Messages: 0 of 11\n$/) });
  });

  it('lists events if the filter selects them', async () => {
    const args = ['inspect', '-', '--filter', 'kind:stderr'];
    const text = await new CommandPlace().run(args, { input: talk });
    expect(text.stdout).toMatch(/Messages: 0 of 11\n\n {7}- stdio.stderr needle in a line\n$/);
    const verbose = await new CommandPlace().run([...args, '-v'], { input: talk });
    expect(verbose.stdout).toContain('needle in a line\n       {\n         "text": "needle in a line"\n       }\n');
    const json = await new CommandPlace().run([...args, '--json'], { input: talk });
    const [line, last] = jsonLines(json.stdout);
    expect(line).toEqual({
      timestamp: expect.stringMatching(/^2026-03-04T10:00:00/),
      kind: 'stdio.stderr',
      raw: { text: 'needle in a line' },
    });
    expect(last).toMatchObject({ summary: { messages: 0, events: 1, all_messages: 11, filter: 'kind:stderr' } });
  });

  it('prints only the payloads of matching messages', async () => {
    const { stdout } = await new CommandPlace().run(['inspect', '-', '-v', '--filter', 'tool:search <'], {
      input: talk,
    });
    expect(stdout).toContain('"said": "needle"');
    expect(stdout).not.toContain('isError');
  });

  it('counts the matching messages in the summary', async () => {
    const { stdout } = await new CommandPlace().run(['inspect', '-', '--json', '--filter', 'TOOL:read'], {
      input: talk,
    });
    expect(jsonLines(stdout).at(-1)).toMatchObject({
      summary: { messages: 4, events: 0, all_messages: 11, filter: 'tool:read' },
    });
  });

  it('accepts a filter that starts with a minus', async () => {
    expect(await left(talk, '--filter', '-kind:response -tool:* -method:*')).toEqual([]);
  });

  it.each([
    ['status:okay', 'Unknown status: okay (column 8). Use one of ok, error, pending, cancelled, late, stream.'],
    ['a or (b', 'Missing ) (column 6)'],
    [
      'a /(?=b)/',
      'Cannot use /(?=b)/: invalid or unsupported Perl syntax: `(?=` (column 3). Use RE2 syntax: look-around and back-references are not supported.',
    ],
  ])('refuses %s in one line, before it reads the session', async (filter, complaint) => {
    const { code, stdout, stderr } = await new CommandPlace().run(['inspect', 'nowhere.json', '--filter', filter]);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `Error: --filter "${filter}": ${complaint}\n`,
    });
  });

  it('filters by the status of the HTTP exchange of a message', async () => {
    const overHttp = recording(
      call('a', 'search', { http: { exchange: 0 } }),
      call('b', 'search', { http: { exchange: 1 } }),
      beside('http.exchange', { exchange: 1, method: 'POST', path: '/mcp', status: 401 }),
      answer('a', {}, { http: { exchange: 0 } }),
      beside('http.exchange', { exchange: 0, method: 'POST', path: '/mcp', status: 200 }),
    );
    expect(await left(overHttp, '--filter', 'http:401')).toEqual(['b']);
    expect(await left(overHttp, '--filter', 'http:<400 status:ok')).toEqual(['a', 'a-answer']);
    const { stdout } = await new CommandPlace().run(['inspect', '-', '--filter', 'http:401'], { input: overHttp });
    expect(stdout).toContain('\n  #001 > tools/call id=b\n       - http.exchange POST /mcp 401\n');
  });

  it('filters within one conversation', async () => {
    const two = recording(
      call('a', 'search', { conv: 1 }),
      call('b', 'search', { conv: 2 }),
      answer('b', {}, { conv: 2 }),
    );
    expect(await left(two, '--filter', 'conv:2')).toEqual(['b', 'b-answer']);
    expect(await left(two, '--conversation', '2', '--filter', 'tool:search >')).toEqual(['b']);
  });

  it('pairs a response with its request in formats that do not store the link', async () => {
    const bare = [
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search' } },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'read' } },
      { jsonrpc: '2.0', id: 2, result: {} },
      { jsonrpc: '2.0', id: 1, result: {} },
    ];
    const input = bare.map((message) => `${JSON.stringify(message)}\n`).join('');
    const { stdout } = await new CommandPlace().run(['inspect', '-', '--filter', 'tool:search'], { input });
    expect(stdout).toMatch(/#000 > tools\/call id=1\n {2}#003 < \(response\) id=1 corr=\S+\n$/);
  });
});

describe('export --filter', () => {
  it('writes only the entries that match', async () => {
    const place = new CommandPlace();
    place.write('talk.jsonl', talk);
    const filter = ['--filter', 'status:error or kind:stderr'];
    const { stdout } = await place.run(['export', 'talk.jsonl', '-o', 'out.jsonl', '-f', 'trace', ...filter]);
    expect(stdout).toBe('Exported 2 messages to out.jsonl\n');
    const lines = jsonLines(place.read('out.jsonl'));
    expect(lines.map((line) => line.id ?? line.kind)).toEqual([SESSION_ID, 'bad', 'stdio.stderr', 'bad-answer']);
  });

  it('does not add the request of a matching response', async () => {
    const { stdout } = await new CommandPlace().run(['export', '-', '-f', 'jsonrpc', '--filter', 'needle'], {
      input: talk,
    });
    expect(jsonLines(stdout)).toEqual([{ jsonrpc: '2.0', id: 'good', result: { said: 'needle' } }]);
  });

  it('exports one of several conversations to a single-conversation format if the filter selects it', async () => {
    const two = recording(call('a', 'search', { conv: 1 }), call('b', 'search', { conv: 2 }));
    const args = ['export', '-', '-f', 'streamable-http'];
    expect(await new CommandPlace().run(args, { input: two })).toMatchObject({ code: 2 });
    const { code, stdout } = await new CommandPlace().run([...args, '--filter', 'conv:2'], { input: two });
    expect(code).toBe(0);
    expect(stdout).toContain('"id":"b"');
    expect(stdout).not.toContain('"id":"a"');
  });

  it('refuses an invalid filter and leaves the output file alone', async () => {
    const place = new CommandPlace();
    place.write('talk.jsonl', talk);
    place.write('out.json', 'mine');
    const { code, stderr } = await place.run(['export', 'talk.jsonl', '-o', 'out.json', '--filter', 'dur:1s']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'Error: --filter "dur:1s": Missing comparison of the duration: 1s (column 5). Example: dur:>500ms or dur:<=2s\n',
    });
    expect(place.read('out.json')).toBe('mine');
  });
});
