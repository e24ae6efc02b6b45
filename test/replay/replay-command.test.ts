import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { parseTrace, readSessionFile } from '../support/recordings.ts';
import { sarifFaults } from '../support/sarif-rules.ts';
import { answering, writeTalk } from './told-session.ts';

const CALLS = [
  ['get_count', '{"count":3}'],
  ['set_count', 'done'],
] as const;
const SAME = { get_count: '{"count":3}', set_count: 'done' };
const OTHER = { get_count: '{"count":4}', set_count: 'done' };

describe('mcpreel replay', () => {
  it('prints a line for each message, and a summary', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, CALLS);
    const { code, stdout, stderr } = await place.run(['replay', file, '--', ...answering(SAME)]);
    expect(stdout.replaceAll(/\d+ ms/g, 'n ms')).toBe(
      [
        '  #000 > initialize match n ms',
        '  #002 > notifications/initialized sent',
        '  #003 > tools/call get_count match n ms',
        '  #005 > tools/call set_count match n ms',
        'Results: 3/3 matched, 0 changed, 0 timed out, 0 failed\n',
      ].join('\n'),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('counts changed, timed out and failed calls, and exits with 3 unless it only reports', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, [...CALLS, ['slow', 'x'], ['die', 'x'], ['get_count', 'x']]);
    const args = ['proxy', 'replay', '--session-file', file, '--timeout', '2', '--output', 'out.json'];
    const target = [
      '--target-command',
      answering(OTHER)
        .map((word) => `'${word}'`)
        .join(' '),
    ];
    const { code, stdout } = await place.run([...args, ...target]);
    expect(stdout).toContain('  #003 > tools/call get_count changed');
    expect(stdout).toContain('       $.result.content[0].text.count\n         - 3\n         + 4\n');
    expect(stdout).toContain('  #007 > tools/call slow timeout: no response after 2 s\n');
    expect(stdout).toContain('  #009 > tools/call die missing: No response: the server exited with status 9\n');
    expect(stdout).toContain('  #011 > tools/call get_count error: Not sent: the server exited with status 9\n');
    expect(stdout).toContain('Results: 2/6 matched, 1 changed, 1 timed out, 2 failed\n');
    expect(code).toBe(3);
    const written = JSON.parse(place.read('out.json')) as { results: object[] } & Record<string, unknown>;
    expect(Object.keys(written)).toEqual(['target_command', 'target_url', 'session', 'summary', 'results']);
    expect(written).toMatchObject({
      target_url: null,
      session: '550e8400-e29b-41d4-a716-446655440000',
      summary: { total: 6, matched: 2, changed: 1, timed_out: 1, failed: 2, skipped: 0 },
    });
    expect(written.results[2]).toMatchObject({
      original_request: { id: 'm3', method: 'tools/call', jsonrpc_id: 1 },
      sent_message: { method: 'tools/call', params: { name: 'get_count' } },
      response: { result: {} },
      error: null,
      duration_ms: expect.any(Number),
      recorded_response: { id: 1 },
      verdict: 'changed',
      differences: [{ path: '$.result.content[0].text.count', recorded: 3, replayed: 4 }],
    });
    const again = await place.run(['replay', file, '--timeout', '0.3', '--report-only', '--', ...answering(OTHER)]);
    expect(again.code).toBe(0);
  });

  it('exits with 3 if nothing was compared', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, CALLS);
    const args = ['replay', file, '--no-handshake', '--read-only', '--', ...answering({})];
    expect(await place.run(args)).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('Results: 0/2 matched, 0 changed, 0 timed out, 0 failed'),
      stderr: expect.stringContaining('Nothing compared: no request with a recorded response was sent'),
    });
  });

  it('writes reports for CI systems, and a recording of the replay', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, CALLS);
    const flags = ['--junit', 'junit.xml', '--sarif', 'out.sarif', '--record', 'run.json'];
    expect((await place.run(['replay', file, ...flags, '--', ...answering(OTHER)])).code).toBe(3);
    expect(place.read('junit.xml')).toContain('<testcase classname="mcpreel.replay" name="#000 initialize" time="0"/>');
    expect(place.read('junit.xml')).toContain('message="$.result.content[0].text.count: 3 → 4"');
    const sarif = JSON.parse(place.read('out.sarif')) as { runs: { results: object[] }[] };
    expect(sarifFaults(sarif)).toEqual([]);
    expect(sarif.runs[0]?.results).toMatchObject([{ ruleId: 'replay-changed', properties: { messages: [3] } }]);
    const { session, messages } = readSessionFile(place.path('run.json'));
    expect(session).toMatchObject({
      transport: 'stdio',
      metadata: { replay_of: '550e8400-e29b-41d4-a716-446655440000' },
    });
    expect(messages.map(({ payload }) => payload.method ?? 'answer')).toEqual([
      ...['initialize', 'answer', 'notifications/initialized'],
      ...['tools/call', 'answer', 'tools/call', 'answer'],
    ]);
    expect((await place.run(['replay', 'run.json', '--', ...answering(OTHER)])).code).toBe(0);
  });

  it('accepts new responses into the session, and nothing else', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, CALLS);
    const before = place.read(file);
    const updated = await place.run(['replay', file, '--update', '--', ...answering(OTHER)]);
    expect(updated).toMatchObject({ code: 0, stderr: `Updated 1 response in ${file}\n` });
    const [was, is] = [before, place.read(file)].map((text) => parseTrace(text).messages.map(({ payload }) => payload));
    const changed = (is ?? []).filter((payload, index) => JSON.stringify(payload) !== JSON.stringify(was?.[index]));
    expect(changed).toEqual([{ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '{"count":4}' }] } }]);
    expect((await place.run(['replay', file, '--', ...answering(OTHER)])).code).toBe(0);
    expect((await place.run(['replay', file, '--', ...answering(SAME)])).code).toBe(3);
  });

  it('accepts new responses into a session file, too', async () => {
    const place = new CommandPlace();
    await place.run(['export', writeTalk(place, CALLS), '-f', 'json', '-o', 'session.json']);
    expect((await place.run(['replay', 'session.json', '--update', '--', ...answering(OTHER)])).code).toBe(0);
    expect((await place.run(['replay', 'session.json', '--', ...answering(OTHER)])).code).toBe(0);
  });

  it('learns rules for values that vary, but not for lasting changes', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, [...CALLS, ['roll', '{"seed":"abc","sides":6}']]);
    const rolls = { ...SAME, roll: '{"seed":"$random","sides":6}' };
    const learned = await place.run([
      'replay',
      file,
      '--learn',
      '2',
      '--ignore-file',
      'ignore.txt',
      '--',
      ...answering(rolls),
    ]);
    expect(learned.stderr).toBe('Replay 1 of 2\nReplay 2 of 2\nAdded 1 rule to ignore.txt\n');
    expect(learned.code).toBe(0);
    expect(place.read('ignore.txt')).toBe('tool:roll $.result.content[0].text.seed\n');
    const flags = ['--ignore-file', 'ignore.txt', '--', ...answering({ ...rolls, set_count: 'not done' })];
    const { code, stdout } = await place.run(['replay', file, ...flags]);
    expect(code).toBe(3);
    expect(stdout).toContain('Results: 3/4 matched, 1 changed, 0 timed out, 0 failed\n');
  });

  it('prints the learned rules if no ignore file is given', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, [['roll', 'abc']]);
    const { stdout, code } = await place.run(['replay', file, '--learn', '2', '--', ...answering({ roll: '$random' })]);
    expect(stdout).toMatch(/^ignore tool:roll \$\.result\.content\[0\]\.text\n/);
    expect(code).toBe(0);
  });

  it('reports missing and changed notifications, and learns which of their values vary', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, [
      ['get', 'begun <- done'],
      ['set', 'begun <- done'],
    ]);
    const other = answering({ get: 'started <- done', set: 'done' });
    const { code, stdout } = await place.run(['replay', file, '--', ...other]);
    expect(stdout.replaceAll(/\d+ ms/g, 'n ms')).toContain(
      [
        '  #003 > tools/call get changed n ms',
        '       $.params.data',
        '         - "begun"',
        '         + "started"',
        '  #006 > tools/call set changed n ms',
        '       $.method',
        '         - "notifications/message"',
        'Results: 1/3 matched, 2 changed, 0 timed out, 0 failed\n',
      ].join('\n'),
    );
    expect(code).toBe(3);
    const varying = answering({ get: '$random <- done', set: 'begun <- done' });
    const learned = await place.run(['replay', file, '--learn', '2', '--ignore-file', 'ignore.txt', '--', ...varying]);
    expect({ rules: place.read('ignore.txt'), code: learned.code }).toEqual({
      rules: 'tool:get $.params.data\n',
      code: 0,
    });
    expect((await place.run(['replay', file, '--ignore-file', 'ignore.txt', '--', ...varying])).code).toBe(0);
  });

  it('does not report changes outside of responses as accepted', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, [['get', 'begun <- done']]);
    const before = place.read(file);
    const updated = await place.run(['replay', file, '--update', '--', ...answering({ get: 'done' })]);
    expect(updated).toMatchObject({ code: 3, stderr: `Updated 0 responses in ${file}\n` });
    expect(place.read(file)).toBe(before);
  });

  it.each(['json', 'trace', 'jsonrpc', 'inspector', 'streamable-http', 'http-sse', 'har'])(
    'replays a session in the format %s',
    async (format) => {
      const place = new CommandPlace();
      await place.run(['export', writeTalk(place, CALLS), '-f', format, '-o', 'session']);
      const same = await place.run(['replay', 'session', '--', ...answering(SAME)]);
      expect(same.stdout).toContain('Results: 3/3 matched, 0 changed, 0 timed out, 0 failed\n');
      expect((await place.run(['replay', 'session', '--', ...answering(OTHER)])).code).toBe(3);
    },
  );

  it('sends nothing in a dry run', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, [...CALLS, ['set_count', 'x', { key: '[REDACTED:github-token:0a1b2c3d]' }]]);
    const { code, stdout } = await place.run(['replay', file, '--dry-run', '--read-only', '--', '/no/such/program']);
    expect(stdout.split('\n')).toEqual([
      '  #000 > initialize would be sent',
      '  #002 > notifications/initialized would be sent',
      '  #003 > tools/call get_count would be skipped: the tool is not marked read-only',
      '  #005 > tools/call set_count would be skipped: the tool is not marked read-only',
      '  #007 > tools/call set_count would not be sent: it contains [REDACTED:github-token]',
      '2 messages would be sent',
      '',
    ]);
    expect(code).toBe(0);
  });

  it('replays the selected messages, and repeats them if requested', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, CALLS);
    const flags = ['--select', 'tool:set_count', '--repeat', '2'];
    const { stdout, stderr, code } = await place.run(['replay', file, ...flags, '--', ...answering(OTHER)]);
    expect(stdout).not.toContain('get_count');
    expect(stdout).toContain('Results: 4/4 matched, 0 changed, 0 timed out, 0 failed\n');
    expect(stderr).toBe('Replay 1 of 2\nReplay 2 of 2\n');
    expect(code).toBe(0);
  });

  it('never sends redacted values without --allow-redacted, and names that flag', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, [['set_count', 'done', { key: '[REDACTED:github-token:0a1b2c3d]' }]]);
    const refused = await place.run(['replay', file, '--', ...answering(SAME)]);
    expect(refused.stdout).toContain(
      '#003 > tools/call set_count error: Not sent: it contains [REDACTED:github-token]\n',
    );
    expect(refused.stderr).toBe('1 message not sent: redacted values. Send anyway with --allow-redacted.\n');
    expect(refused.code).toBe(3);
    expect((await place.run(['replay', file, '--allow-redacted', '--', ...answering(SAME)])).code).toBe(0);
  });

  it('sends its headers with every request, and keeps their values out of all output', async () => {
    const place = new CommandPlace();
    const secret = 'hunter2-hunter2';
    const { url, headers } = await echoing('x-key');
    const file = writeTalk(place, [['get', 'x']]);
    const flags = ['--header', `X-Key: ${secret}`, '--output', 'out.json', '--record', 'run.json', '--target-url', url];
    const { stdout } = await place.run(['replay', file, ...flags]);
    expect(stdout).toContain('#003 > tools/call get changed');
    expect(headers.length).toBeGreaterThanOrEqual(3);
    expect(new Set(headers)).toEqual(new Set([secret]));
    expect(stdout + place.read('out.json') + place.read('run.json')).not.toContain(secret);
  });

  it('gives the server its variables and folder, and keeps the values out of all output', async () => {
    const place = new CommandPlace();
    const secret = 'hunter2-hunter2';
    const file = writeTalk(place, [['get_env', 'x']]);
    place.write('sub/where.txt', 'here');
    const script = `const { createInterface } = require('node:readline');
      createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        const text = process.env.KEY + ' ' + require('node:fs').readFileSync('where.txt', 'utf8');
        const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: {} } : { content: [{ type: 'text', text }] };
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });`;
    const flags = ['--env', `KEY=${secret}`, '--cwd', 'sub', '--output', 'out.json', '--record', 'run.json'];
    const { stdout } = await place.run(['replay', file, ...flags, '--', process.execPath, '-e', script]);
    expect(stdout).toMatch(/\+ "\[REDACTED:[a-z-]+:[0-9a-f]{8}\] here"/);
    expect(stdout + place.read('out.json') + place.read('run.json')).not.toContain(secret);
  });
});

/** An HTTP server that answers calls with the value of a header, and the header values of its requests. */
async function echoing(name: string): Promise<{ url: string; headers: unknown[] }> {
  const headers: unknown[] = [];
  const server = createServer((request, response) => {
    const given = request.headers[name];
    headers.push(given);
    void text(request).then((body) => {
      const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
      const hello = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
      const result = method === 'initialize' ? hello : { content: [{ type: 'text', text: given }] };
      if (id === undefined) response.writeHead(request.method === 'GET' ? 405 : 202).end();
      else
        response
          .writeHead(200, { 'Content-Type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, headers };
}
