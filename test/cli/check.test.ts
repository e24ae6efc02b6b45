import { describe, expect, it } from 'vitest';
import { ALL_GROUPS } from '../../src/cli/commands/check/check-groups.ts';
import { recordCareless } from '../support/careless-recording.ts';
import { CommandPlace } from '../support/command-place.ts';
import { junitFaults } from '../support/junit-rules.ts';
import type { Outcome } from '../support/mcpreel-process.ts';
import { jsonLines } from '../support/recordings.ts';
import { GITHUB_TOKEN } from '../support/sample-secrets.ts';
import { sarifFaults } from '../support/sarif-rules.ts';
import { answer, call, type SessionMessage, sessionText } from '../support/session-texts.ts';
import { traceText } from '../support/trace-texts.ts';
import { parseXml } from '../support/xml.ts';

const FAILED = '{"content":[{"type":"text","text":"no such file"}],"isError":true}';

async function check(messages: readonly SessionMessage[], ...args: string[]): Promise<Outcome> {
  return new CommandPlace().run(['check', '-', ...args], { input: sessionText(messages) });
}

const T = '2026-03-04T10:00:09.000Z';

describe('check', () => {
  it('reports the hung call and the schema violation of a real recording with their message numbers', async () => {
    const place = new CommandPlace();
    await recordCareless(place, 'session.json', [
      ['forecast', 'Oslo'],
      ['weather', 'Oslo'],
      ['weather', 'Rome'],
    ]);
    const { code, stdout, stderr } = await place.run(['check', 'session.json']);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^session\.json: #006, #007: result-invalid: .*weather.*degrees/),
      'session.json: #005: hung-call: The server never responded to tools/call forecast. Check its log.',
      '',
    ]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: '2 findings in 1 session: 1 schema, 1 pending\n' });
  });

  it('finds nothing in a real recording without problems', async () => {
    const place = new CommandPlace();
    await recordCareless(place, 'session.json', [['weather', 'Rome']]);
    const { code, stdout, stderr } = await place.run(['check', 'session.json', '--fail-on', ALL_GROUPS.join(',')]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: 'No findings in 1 session\n' });
  });

  it('finds a call that is open where the recording is cut off', async () => {
    const input = sessionText([call(1, 'read')]).replace(/"ended_at": "[^"]+"/, '"ended_at": null');
    const { code, stdout } = await new CommandPlace().run(['check', '-', '--fail-on', 'pending'], { input });
    expect({ code, stdout }).toEqual({
      code: 3,
      stdout:
        'standard input: #000: open-call: The server had not responded to tools/call read when the recording ended.\n',
    });
  });

  it('checks for failed calls only with --fail-on error', async () => {
    const messages = [call(1, 'read'), answer(1, FAILED)];
    expect(await check(messages)).toMatchObject({ code: 0, stdout: '' });
    const { code, stdout } = await check(messages, '--fail-on', 'error');
    expect({ code, stdout }).toEqual({
      code: 3,
      stdout: expect.stringMatching(/^standard input: #000, #001: tool-failed: .*read/),
    });
  });

  it('checks only for the groups given by --fail-on', async () => {
    const messages = [call(1, 'read'), call(2, 'read'), answer(7)];
    expect((await check(messages, '--fail-on', 'late,stray')).code).toBe(0);
    const { stdout, stderr } = await check(messages, '--fail-on', ' invalid , pending');
    expect(stdout.trim().split('\n')).toHaveLength(3);
    expect(stderr).toBe('3 findings in 1 session: 1 invalid, 2 pending\n');
  });

  it('reports a line that is not a message with the number of the message before it', async () => {
    const place = new CommandPlace();
    const says = JSON.stringify({ out: Buffer.from('hello\n').toString('base64'), err: '' });
    const server = new URL('../servers/saying.mjs', import.meta.url).pathname;
    await place.runBuilt(['--trace-file', 't.jsonl', '--', process.execPath, server, says], {
      input: '{"method":"a"}\n',
    });
    const { code, stdout } = await place.run(['check', 't.jsonl', '--fail-on', 'stray']);
    expect({ code, stdout }).toEqual({
      code: 3,
      stdout: expect.stringMatching(/^t\.jsonl: (after #000: )?stray-output: .*hello/),
    });
  });

  it('finds a secret, and does not print it', async () => {
    const messages = [call(1, 'read'), answer(1, `{"content":[{"type":"text","text":"${GITHUB_TOKEN}"}]}`)];
    const { code, stdout } = await check(messages);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^standard input: #001: secret-present: .*github-token/);
    expect(stdout).not.toContain(GITHUB_TOKEN);
  });

  it.each([
    ['the turn of a model', `{"t":"${T}","type":"turn","role":"user","blocks":[{"text":"key ${GITHUB_TOKEN}"}]}`],
    ['a record of another tool', `{"t":"${T}","type":"annotation","text":"${GITHUB_TOKEN}"}`],
    ['a second header', `{"v":1,"type":"meta","startedAt":"${T}","label":"b","command":["b","${GITHUB_TOKEN}"]}`],
    ['telemetry', `{"t":"${T}","dir":"telemetry","raw":{"x":"${GITHUB_TOKEN}"}}`],
    [
      'an injected message',
      `{"t":"${T}","dir":"in","seq":9,"injected":true,"raw":{"jsonrpc":"2.0","method":"x","params":["${GITHUB_TOKEN}"]}}`,
    ],
    ['the reason of the end', `{"t":"${T}","type":"end","exitCode":1,"reason":"${GITHUB_TOKEN}"}`],
    ['an unknown member of the end', `{"t":"${T}","type":"end","exitCode":1,"note":"${GITHUB_TOKEN}"}`],
  ])('finds a secret in %s, as redact --check does', async (_, line) => {
    const place = new CommandPlace();
    place.write('t.jsonl', `${traceText()}${line}\n`);
    const [checked, redacted] = [
      await place.run(['check', 't.jsonl']),
      await place.run(['redact', '--check', 't.jsonl']),
    ];
    expect(checked.stdout).toMatch(/secret-present: .*github-token/);
    expect([checked.code, redacted.code]).toEqual([3, 3]);
  });

  it("finds a secret in the server's command", async () => {
    const place = new CommandPlace();
    const session = sessionText([{ payload: '{"jsonrpc":"2.0","method":"notifications/initialized"}' }]);
    place.write('s.json', session.replace('my_server.py', '--api-key hunter2'));
    const { code, stdout } = await place.run(['check', 's.json']);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^s\.json: secret-present: .*\(api-key\) at command\[2\]/m);
    expect(stdout).not.toContain('hunter2');
  });

  it('requires a tool to be called in any of the recordings', async () => {
    const place = new CommandPlace();
    place.write('a.json', sessionText([call(1, 'read'), answer(1)]));
    place.write('b.json', sessionText([call(1, 'write'), answer(1)]));
    const args = ['check', 'a.json', 'b.json', '--expect-tool', 'read'];
    expect((await place.run(args)).code).toBe(0);
    const { code, stdout } = await place.run([...args, '--expect-tool', 'move']);
    expect({ code, stdout }).toEqual({
      code: 3,
      stdout: 'expected-tool: move was never called, which --expect-tool expects.\n',
    });
  });

  it('finds each call of a forbidden tool', async () => {
    const messages = [call(1, 'rm'), answer(1), call(2, 'ls'), answer(2), call(3, 'rm'), answer(3)];
    const { code, stdout } = await check(messages, '--forbid-tool', 'rm', '--forbid-tool', 'mv');
    expect({ code, stdout }).toEqual({
      code: 3,
      stdout:
        'standard input: #000: forbidden-tool: rm was called, which --forbid-tool forbids.\nstandard input: #004: forbidden-tool: rm was called, which --forbid-tool forbids.\n',
    });
  });

  it('finds calls that took longer than --max-duration', async () => {
    const messages = [call(1, 'slow'), call(2, 'fast'), answer(2), answer(1)];
    expect((await check(messages, '--max-duration', '3000')).code).toBe(0);
    const { code, stdout } = await check(messages, '--max-duration', '2999.5');
    expect({ code, stdout }).toEqual({
      code: 3,
      stdout: 'standard input: #000, #003: slow-call: tools/call slow took 3.00 s, more than 3.00 s.\n',
    });
  });

  it('finds and filters by the time of the server, as stats and inspect --calls report it', async () => {
    const place = new CommandPlace();
    const asked = { jsonrpc: '2.0', id: 9, method: 'elicitation/create', params: { message: 'Sure?' } };
    const lines = [
      { t: 0, dir: 'in', raw: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow' } } },
      { t: 1, dir: 'out', raw: asked },
      { t: 51, dir: 'in', raw: { jsonrpc: '2.0', id: 9, result: { action: 'accept' } } },
      { t: 53, dir: 'out', raw: { jsonrpc: '2.0', id: 1, result: { content: [] } } },
    ].map(({ t, ...line }) => JSON.stringify({ t: new Date(t * 1000).toISOString(), ...line }));
    place.write('t.jsonl', ['{"v":1,"type":"meta"}', ...lines, ''].join('\n'));
    expect((await place.run(['check', 't.jsonl', '--max-duration', '3000'])).stdout).not.toContain('slow-call');
    const { stdout } = await place.run(['check', 't.jsonl', '--max-duration', '2999']);
    expect(stdout).toContain('t.jsonl: #000, #003: slow-call: tools/call slow took 3.00 s, more than 3.00 s.\n');
    const inspected = await place.run(['inspect', 't.jsonl', '--calls', '--json', '--filter', 'dur:=3s']);
    expect(jsonLines(inspected.stdout)[0]).toMatchObject({ name: 'slow', duration_ms: 3000, human_ms: 50_000 });
    expect((await place.run(['stats', 't.jsonl', '--json'])).stdout).toMatch(/"max_ms":\s*3000\b/);
  });

  it('does not pass if a recording could not be read', async () => {
    const place = new CommandPlace();
    place.write('good.json', sessionText([call(1, 'a'), answer(1)]));
    place.write('bad.json', 'nonsense');
    const { code, stdout, stderr } = await place.run([
      'check',
      'good.json',
      'bad.json',
      'none.json',
      '--junit',
      'r.xml',
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^Skipped bad\.json: .*\nSkipped none\.json: .*\nNo findings in 1 session; 2 files could not be read\n$/,
    );
    expect(place.read('r.xml').match(/name="readable"/g)).toHaveLength(2);
  });

  it('reports only that a missing file was not found, like other commands', async () => {
    const place = new CommandPlace();
    const reported = {
      code: 1,
      stdout: '',
      stderr: 'Error: No file or session id "none.json". List sessions: mcpreel sessions\n',
    };
    const args = ['check', 'none.json', '--expect-tool', 'read', '--junit', 'r.xml'];
    expect(await place.run(args)).toMatchObject(reported);
    expect(place.read('r.xml').match(/<testcase/g)).toHaveLength(1);
    expect(await place.run(['stats', 'none.json'])).toMatchObject(reported);
  });

  it('prints no findings if no recording could be read', async () => {
    for (const command of ['check', 'stats']) {
      const { code, stdout, stderr } = await new CommandPlace().run([command, 'a.json', 'b.json']);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^Skipped a\.json: .*\nSkipped b\.json: .*\nError: No session could be read\n$/);
    }
  });

  it.each([
    [['--fail-on', 'error,typo'], /--fail-on.*error, pending, invalid/],
    [['--fail-on', ''], /--fail-on/],
    [['--max-duration', '1s'], /--max-duration.*milliseconds/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await check([], ...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
  });

  it('limits findings of the same kind, and counts the rest', async () => {
    const { stdout, stderr } = await check(Array.from({ length: 50 }, (_, n) => call(n, 'a')));
    expect(stdout.trim().split('\n')).toHaveLength(21);
    expect(stdout).toContain('standard input: … and 30 more hung-call\n');
    expect(stderr).toBe('50 findings in 1 session: 50 pending\n');
  });
});

describe('check --json', () => {
  it('prints a line for each finding and a summary last', async () => {
    const place = new CommandPlace();
    place.write('a.json', sessionText([call(1, 'read')]));
    const { code, stdout } = await place.run(['check', 'a.json', 'none.json', '--json', '--expect-tool', 'move']);
    expect(code).toBe(1);
    expect(jsonLines(stdout)).toEqual([
      {
        file: 'a.json',
        code: 'hung-call',
        group: 'pending',
        severity: 'error',
        message: 'The server never responded to tools/call read. Check its log.',
        messages: [0],
        after: null,
        spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#timeouts',
      },
      {
        file: null,
        code: 'expected-tool',
        group: 'expect-tool',
        severity: 'error',
        message: 'move was never called, which --expect-tool expects.',
        messages: [],
        after: null,
        spec: null,
      },
      {
        summary: {
          sessions: 1,
          findings: 2,
          by_group: { pending: 1, 'expect-tool': 1 },
          skipped: [
            { file: 'none.json', reason: 'No file or session id "none.json". List sessions: mcpreel sessions' },
          ],
          damaged: [],
          problems: 0,
        },
      },
    ]);
  });
});

describe('the reports of check', () => {
  const HOSTILE = '</failure> ]]> & "\u0001\u202e\ud800';

  async function reports(): Promise<{ junit: string; sarif: string }> {
    const place = new CommandPlace();
    place.write('a <b> & c.json', sessionText([call(1, HOSTILE), call(2, 'ok'), answer(2)]));
    const args = ['check', 'a <b> & c.json', 'none.json', '--junit', 'r.xml', '--sarif', 'r.sarif'];
    await place.run([...args, '--fail-on', 'pending,late', '--expect-tool', HOSTILE, '--expect-tool', '<x>']);
    return { junit: place.read('r.xml'), sarif: place.read('r.sarif') };
  }

  it('the reports are valid for any names of tools and files', async () => {
    const { junit, sarif } = await reports();
    expect(await junitFaults(junit)).toEqual([]);
    expect(sarifFaults(JSON.parse(sarif))).toEqual([]);
  });

  it('the JUnit report has a test for each check of each recording', async () => {
    const { junit } = await reports();
    const tests = parseXml(junit).children.map(({ attributes, children }) => [
      attributes.get('name'),
      ...children
        .filter(({ name }) => name === 'testcase')
        .map((test) => `${test.attributes.get('name')} ${test.children.length === 0 ? 'passed' : 'failed'}`),
    ]);
    expect(tests).toEqual([
      ['a <b> & c.json', 'pending failed', 'late passed'],
      ['none.json', 'readable failed'],
      ['all recordings', expect.stringMatching(/^expect-tool .* failed$/), 'expect-tool <x> failed'],
    ]);
  });

  it('the SARIF report has a result for each finding, with its file and its message', async () => {
    const { sarif } = await reports();
    expect(JSON.parse(sarif)).toMatchObject({
      runs: [
        {
          invocations: [{ executionSuccessful: false }],
          results: [
            {
              ruleId: 'hung-call',
              level: 'error',
              locations: [
                {
                  physicalLocation: { artifactLocation: { uri: 'a%20%3Cb%3E%20%26%20c.json' } },
                  logicalLocations: [{ name: '#000' }],
                },
              ],
            },
            { ruleId: 'expected-tool' },
            { ruleId: 'expected-tool' },
          ],
        },
      ],
    });
  });
});
