import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { parseTrace } from '../support/recordings.ts';
import { skipOnWindows } from '../support/unless.ts';

const INITIALIZE =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\n';

function corpus(name: string): string {
  return readFileSync(new URL(`../corpus/${name}`, import.meta.url), 'utf8');
}

/** Records a server that runs this script, and checks the recording. */
async function checked(place: CommandPlace, script: string): Promise<{ code: number | null; stdout: string }> {
  await place.runBuilt(['--trace-file', 't.jsonl', '--', process.execPath, '-e', script], { input: INITIALIZE });
  return place.run(['check', 't.jsonl']);
}

describe('a server that dies', () => {
  it('reports the exit code and the last stderr lines of a server that dies', async () => {
    const place = new CommandPlace();
    const script = 'process.stdin.once("data", () => { console.error("API_KEY is not set"); process.exit(1); })';
    const { code, stdout } = await checked(place, script);
    expect(code).toBe(3);
    expect(stdout).toContain(
      't.jsonl: #000: server-exited: The server exited with 1 before answering initialize. On stderr: "API_KEY is not set".\n',
    );
    expect(parseTrace(place.read('t.jsonl')).meta).toMatchObject({ cwd: place.folder });
  });

  it.each([
    ['a line that is not UTF-8', 'Buffer.from("Schl\\u00fcssel fehlt\\n", "latin1")', '"Schl\ufffdssel fehlt"'],
    ['a word that is too long', '"x".repeat(5000) + "\\n"', `"${'x'.repeat(160)}…"`],
  ])('quotes %s on stderr', async (_, written, quoted) => {
    const script = `process.stdin.once("data", () => process.stderr.write(${written}, () => process.exit(1)))`;
    const { stdout } = await checked(new CommandPlace(), script);
    expect(stdout).toContain(`On stderr: ${quoted}.`);
  });

  it('does not report a server that a signal to mcpreel ended', skipOnWindows('Windows has no signals'), async () => {
    const place = new CommandPlace();
    const script = 'process.stdin.once("data", () => process.kill(process.ppid, "SIGTERM"))';
    await place.runBuilt(['--trace-file', 't.jsonl', '--', process.execPath, '-e', script], { input: INITIALIZE });
    expect(place.read('t.jsonl')).toContain('"action":"signal"');
    const { code, stdout } = await place.run(['check', 't.jsonl']);
    expect(code).toBe(3);
    expect(stdout).toContain('hung-call');
    expect(stdout).not.toContain('server-exited');
  });

  it('reports the signal that killed a server', async () => {
    const { code, stdout } = await checked(
      new CommandPlace(),
      'process.stdin.once("data", () => process.kill(process.pid, "SIGKILL"))',
    );
    expect(code).toBe(3);
    expect(stdout).toContain('The server was killed by SIGKILL before answering initialize.');
  });

  it('reports a server that hangs until its client disconnects', async () => {
    const { code, stdout } = await checked(new CommandPlace(), 'process.stdin.resume()');
    expect(code).toBe(3);
    expect(stdout).toContain('hung-call: The server never responded to initialize.');
  });

  it('reports a server that cannot be started', async () => {
    const place = new CommandPlace();
    await place.runBuilt(['--trace-file', 't.jsonl', '--', './no-such-server'], { input: INITIALIZE });
    const { code, stdout } = await place.run(['check', 't.jsonl']);
    expect(code).toBe(3);
    expect(stdout).toContain('server-exited: Cannot start "');
  });
});

describe('a recording of HTTP', () => {
  it.each(['two-clients', 'resumed-stream'])('passes check: %s', async (name) => {
    const place = new CommandPlace();
    const file = place.write('t.jsonl', corpus(`trace/${name}.jsonl`));
    expect(await place.run(['check', file])).toMatchObject({ code: 0, stdout: '' });
    expect((await place.run(['inspect', '--calls', file])).stdout).not.toContain('orphan');
  });

  it('names a source for each conversation, so that readers can pair messages by id and source', async () => {
    const place = new CommandPlace();
    const file = place.write('t.jsonl', corpus('trace/two-clients.jsonl'));
    const copy = await place.run(['export', '-f', 'trace', file]);
    expect(copy.stdout).toBe(corpus('trace/two-clients.jsonl'));
    const sources = [...copy.stdout.matchAll(/"conv":(\d),"source":"([^"]*)"/g)].map(([, conv, source]) => [
      conv,
      source,
    ]);
    expect(sources).toEqual([
      ['1', 'client-1'],
      ['2', 'client-2'],
      ['2', 'client-2'],
      ['1', 'client-1'],
    ]);
  });
});

describe('a message that was edited into invalid JSON', () => {
  it('includes the original of an edited message in both formats', async () => {
    const place = new CommandPlace();
    const file = place.write('t.jsonl', corpus('trace/edited-to-text.jsonl'));
    const { messages } = JSON.parse((await place.run(['export', file])).stdout) as {
      messages: Record<string, unknown>[];
    };
    expect(messages[0]).toMatchObject({
      modified: true,
      sent_text: '{"jsonrpc":',
      original_payload: messages[0]?.payload,
    });
  });
});

describe('a capture of several servers', () => {
  it.each(['claude-code', 'mcporter'])('names the server of each call: %s', async (format) => {
    const place = new CommandPlace();
    const lines = [
      '{"type":"assistant","sessionId":"s","timestamp":"2026-03-04T10:00:00Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"mcp__calc__add","input":{}}]}}',
      '{"type":"assistant","sessionId":"s","timestamp":"2026-03-04T10:00:01Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"mcp__shop__stock","input":{}}]}}',
    ];
    const mcporter = ['calc', 'shop'].map(
      (server) =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/list","_meta":{"dir":"send","server":"${server}","ts":"2026-03-04T10:00:00Z"}}`,
    );
    const file = place.write('x.jsonl', (format === 'mcporter' ? mcporter : lines).join('\n'));
    const { stdout } = await place.run(['inspect', '--calls', file]);
    expect(stdout).toMatch(/#000 .*server calc\n.*#001 .*server shop\n/);
    const json = (await place.run(['inspect', '--calls', '--json', file])).stdout.split('\n');
    expect(json.slice(0, 2).map((line) => (JSON.parse(line) as { server: string }).server)).toEqual(['calc', 'shop']);
  });
});

describe('export -f inspector', () => {
  it('writes an empty array for a session without messages', async () => {
    const input = '{"v":1,"type":"meta","startedAt":"2026-03-04T10:00:00.000Z","label":"x","command":["x"]}\n';
    const { code, stdout } = await new CommandPlace().run(['export', '-f', 'inspector', '-'], { input });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '[]\n' });
  });
});
