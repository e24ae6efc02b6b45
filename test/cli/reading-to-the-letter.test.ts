import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { echoServer } from '../support/servers.ts';
import { answer, call, sessionText } from '../support/session-texts.ts';
import { notLinux, unless } from '../support/unless.ts';

const META = '{"v":1,"type":"meta","startedAt":"2026-03-04T10:00:00.000Z","label":"x","command":["x"]}\n';
const END = '{"t":"2026-03-04T10:00:02.000Z","type":"end","exitCode":0,"durationMs":2000}\n';
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{}}}';
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}';
const line = (dir: 'in' | 'out', raw: string, more = '', time = '01.000'): string =>
  `{"t":"2026-03-04T10:00:${time}Z","dir":"${dir}"${more},"raw":${raw}}\n`;

function placeWith(content: string, name = 'x.jsonl'): CommandPlace {
  const place = new CommandPlace();
  place.write(name, content);
  return place;
}

describe('a trace of another tool', () => {
  it('pairs request and response of one HTTP exchange without links', async () => {
    const http = ',"http":{"exchange":0}';
    const place = placeWith(META + line('in', CALL, http) + line('out', RESULT, http) + END);
    expect(await place.run(['check', 'x.jsonl'])).toMatchObject({ code: 0 });
  });

  it('does not treat an empty event id as a repeated one', async () => {
    const sse = ',"http":{"exchange":0},"sse":{"event":"message","id":""}';
    const place = placeWith(
      META + line('in', CALL, ',"http":{"exchange":0}') + line('out', RESULT, sse).repeat(2) + END,
    );
    expect(await place.run(['check', 'x.jsonl'])).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('answered-twice'),
    });
  });

  it('reports no negative durations if the clock was set back', async () => {
    const place = placeWith(META + line('in', CALL, '', '01.500') + line('out', RESULT, '', '01.200') + END);
    const { stdout } = await place.run(['inspect', '--calls', '--json', 'x.jsonl']);
    expect(stdout).toContain('"duration_ms":0,');
    expect((await place.run(['export', 'x.jsonl', '-f', 'csv'])).stdout).not.toContain('-300');
  });
});

describe('a file with a --format', () => {
  it('reads no file as JSON-RPC if no line has the form of a message', async () => {
    const place = placeWith('{"name":"x","version":"1.0.0","dependencies":{}}', 'package.json');
    for (const command of ['check', 'inspect']) {
      for (const format of ['jsonrpc', 'inspector']) {
        expect(await place.run([command, 'package.json', '--format', format])).toMatchObject({ code: 1 });
      }
    }
  });

  it('reports a line that does not have the form of a message', async () => {
    const place = placeWith('{"foo":1}\n{"id":1,"method":"ping"}\n{"id":1,"result":{}}\n');
    const { code, stdout, stderr } = await place.run(['inspect', 'x.jsonl', '--format', 'jsonrpc']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'x.jsonl: line 1: not a message: no "method", "result" or "error"\n',
    });
    expect(stdout).toContain('Messages: 2\n');
    expect(await place.run(['check', 'x.jsonl', '--format', 'jsonrpc'])).toMatchObject({ code: 1 });
  });

  it('accepts an inspector transcript without messages, which mcpreel itself writes', async () => {
    const place = placeWith(META + END);
    await place.run(['export', 'x.jsonl', '-f', 'inspector', '-o', 'empty.json']);
    expect(await place.run(['check', 'empty.json', '--format', 'inspector', '--allow-empty'])).toMatchObject({
      code: 0,
    });
    expect(await place.run(['check', 'empty.json'])).toMatchObject({ code: 3 });
    expect(await place.run(['inspect', 'empty.json'])).toMatchObject({ code: 0 });
    expect(await place.run(['import', 'empty.json'])).toMatchObject({ code: 1 });
  });
});

describe('a session file', () => {
  it.each(['null', '"msg-999"'])('pairs a response by its id if it is linked to %s', async (link) => {
    const place = placeWith(
      sessionText([call(1, 'add'), answer(1)]).replace(
        '"server_to_client",',
        `"server_to_client", "correlated_id": ${link},`,
      ),
      's.json',
    );
    expect(place.read('s.json')).toContain(`"correlated_id": ${link}`);
    const { code, stdout } = await place.run(['check', 's.json']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  it('reports a second list of messages, of which only one is read', async () => {
    const place = placeWith(
      sessionText([call(1, 'add'), answer(1)]).replace('"messages"', '"messages": [], "messages"'),
    );
    const { code, stderr } = await place.run(['check', 'x.jsonl']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('"messages" occurs twice; only the last one is read'),
    });
  });

  it('shows the text that was sent in place of a message, and no export of messages shows the original', async () => {
    const original = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"orig"}}';
    const place = placeWith(
      META + line('in', original, `,"rawText":"this is not json","modified":true,"original":${original}`) + END,
    );
    expect((await place.run(['inspect', '-v', 'x.jsonl'])).stdout).toContain(
      '[MODIFIED]\n       this is not json\n       [original]\n',
    );
    expect((await place.run(['export', 'x.jsonl', '-f', 'markdown'])).stdout).toContain(
      '```text\nthis is not json\n```',
    );
    for (const format of ['jsonrpc', 'inspector', 'streamable-http', 'http-sse', 'har']) {
      expect((await place.run(['export', 'x.jsonl', '-f', format])).stdout).not.toContain('orig');
    }
  });
});

it.each(['http-sse', 'streamable-http'])('a 401 challenge with a message survives an export as %s', async (format) => {
  const place = new CommandPlace();
  const challenge = {
    status: 401,
    headers: { 'WWW-Authenticate': 'Bearer resource_metadata="https://x/y", scope="a"' },
  };
  const entries = [{ request: JSON.parse(CALL) }, { transport_context: challenge, response: JSON.parse(RESULT) }];
  place.write('t.json', JSON.stringify({ transport: 'streamable-http', entries }));
  await place.run(['export', 't.json', '-f', format, '-o', 'out.json']);
  const { stdout } = await place.run(['import', 'out.json', '-o', '-']);
  expect(stdout).toContain('"resource_metadata_visible":true');
});

it('strict redaction removes objects and arrays below the name of a secret, also in strings', async () => {
  const args = {
    api_key: { a: ['one-value'] },
    token: ['x', { b: 'two-value' }],
    text: '{"password":{"v":"three value"}}',
  };
  const raw = CALL.replace('"arguments":{}', `"arguments":${JSON.stringify(args)}`);
  const { stdout } = await placeWith(META + line('in', raw) + END).run(['redact', 'x.jsonl', '--redact', 'strict']);
  expect(stdout).not.toMatch(/one-value|two-value|three value/);
});

it.each(['--output', '--junit', '--sarif', '--html', '--record'])(
  'replay %s to a device that takes nothing fails before anything is sent',
  unless(notLinux),
  async (flag) => {
    const place = placeWith(META + line('in', CALL) + line('out', RESULT) + END);
    const { code, stdout, stderr } = await place.run(['replay', 'x.jsonl', flag, '/dev/full', '--', ...echoServer]);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error: Cannot write /dev/full: the disk is full\n',
    });
  },
);

it('baseline accept prints the baseline with --baseline -', async () => {
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const tools = '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}}';
  const place = placeWith(META + line('in', list) + line('out', tools) + END);
  const { code, stdout } = await place.run(['baseline', 'accept', 'x.jsonl', '--baseline', '-']);
  expect({ code, files: place.files() }).toEqual({ code: 0, files: ['x.jsonl'] });
  expect(stdout).toContain('"add"');
  expect(await place.run(['check', 'x.jsonl', '--baseline', '-'])).toMatchObject({ code: 2 });
});

it('the help of check separates every group from its description', async () => {
  const { stdout } = await new CommandPlace().run(['check', '--help']);
  expect(stdout).toMatch(/\n {2}incomplete {2}\S/);
});
