import { describe, expect, it } from 'vitest';
import { commandLines } from '../support/command-lines.ts';
import { CommandPlace } from '../support/command-place.ts';
import { GITHUB_TOKEN } from '../support/sample-secrets.ts';

const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1.0}}}';
const answer = '{"jsonrpc":"2.0","id":1,"result":{"sum":12345678901234567890}}';

const parsed = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('import', () => {
  it('names the result after the file, and reports the detected format and what it read', async () => {
    const place = new CommandPlace();
    place.write('talk.jsonl', `${call}\n${answer}\n`);
    expect(await place.run(['import', 'talk.jsonl'])).toMatchObject({
      code: 0,
      stdout: 'Imported 2 messages from talk.jsonl: 4 trace events, 0 orphans, 0 pending calls, in talk.trace.jsonl\n',
      stderr: 'talk.jsonl: detected format jsonrpc\n',
    });
    const [start, , toolCall, end] = place.read('talk.trace.jsonl').trim().split('\n');
    expect(start).toContain('"episode_id":"talk"');
    expect(toolCall).toContain('"args":{"a":1.0}');
    expect(toolCall).toContain('"result":{"sum":12345678901234567890}');
    expect(end).toContain('"final_output":"{\\"sum\\":12345678901234567890}"');
  });

  it.each(['session', 'trace'])('redacts a transcript that becomes a %s, unless --no-redact is given', async (to) => {
    const place = new CommandPlace();
    place.write('talk.jsonl', `${call.replace('1.0', JSON.stringify(GITHUB_TOKEN))}\n${answer}\n`);
    const redacted = await place.run(['import', 'talk.jsonl', '--to', to, '-o', 'a']);
    expect(redacted).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('talk.jsonl: redacted 1 secret: 1 github-token'),
    });
    expect(place.read('a')).not.toContain(GITHUB_TOKEN);
    await place.run(['import', 'talk.jsonl', '--to', to, '-o', 'b', '--no-redact']);
    expect(place.read('b')).toContain(GITHUB_TOKEN);
  });

  it('keeps the text of a transcript that it normalizes, and warns about secrets', async () => {
    const place = new CommandPlace();
    place.write('talk.jsonl', `${call.replace('1.0', JSON.stringify(GITHUB_TOKEN))}\n${answer}\n`);
    const { stderr } = await place.run(['import', 'talk.jsonl']);
    expect(stderr).toContain('talk.jsonl: the result contains 1 secret: 1 github-token.');
    expect(place.read('talk.trace.jsonl')).toContain(GITHUB_TOKEN);
    expect(await place.run(['import', 'talk.jsonl', '--redact', 'strict'])).toMatchObject({ code: 2 });
  });

  it.each(commandLines([[], ['--to', 'session'], ['--to', 'trace', '-o', 'a.jsonl']]))(
    'counts orphans and pending calls for every output: import $line',
    async ({ args: to }) => {
      const place = new CommandPlace();
      const other = (id: number): string => call.replace('"id":1', `"id":${id}`);
      const orphan = answer.replace('"id":1', '"id":"9"');
      place.write('talk.jsonl', `${[call, other(2), other(3), answer, answer, orphan].join('\n')}\n`);
      const { stdout, stderr } = await place.run(['import', 'talk.jsonl', ...to]);
      expect(stdout).toContain(', 2 orphans, 2 pending calls');
      expect(stderr).toContain('talk.jsonl: line 5: a response with the id "1" matches no request\n');
      expect(stderr).toContain('talk.jsonl: line 6: a response with the id "9" matches no request\n');
      expect(JSON.parse((await place.run(['import', 'talk.jsonl', '--json', ...to])).stdout)).toMatchObject({
        ...{ messages: 6, orphans: 2, pending: 2 },
      });
    },
  );

  it('reads stdin and writes to stdout, with the report on stderr', async () => {
    const place = new CommandPlace();
    const { code, stdout, stderr } = await place.run(['import', '-', '--format', 'jsonrpc'], { input: `${call}\n` });
    expect(code).toBe(0);
    expect(parsed(stdout).map(({ type }) => type)).toEqual(['episode_start', 'step', 'tool_call', 'episode_end']);
    expect(stderr).toBe('Imported 1 message from standard input: 4 trace events, 0 orphans, 1 pending call\n');
    expect(stdout).toContain('"episode_id":"stdin"');
    expect(stdout).toContain('"error":"timeout/no_response"');
  });

  it('runs under the alias trace import-mcp', async () => {
    const place = new CommandPlace();
    place.write('talk.jsonl', `${call}\n${answer}\n`);
    const args = ['trace', 'import-mcp', '--input', 'talk.jsonl', '--format', 'jsonrpc', '--out-trace', 'out.jsonl'];
    const flags = ['--episode-id', 'E', '--test-id', 'T', '--prompt', 'P'];
    expect(await place.run([...args, ...flags])).toMatchObject({ code: 0, stderr: '' });
    expect(parsed(place.read('out.jsonl'))[0]).toMatchObject({
      episode_id: 'E',
      input: { prompt: 'P' },
      meta: { episode_id: 'E', test_id: 'T' },
    });
  });

  it('imports several files at once into a folder', async () => {
    const place = new CommandPlace();
    place.write('a.jsonl', `${call}\n${answer}\n`);
    place.write('b.jsonl', `${call}\n`);
    const { code, stdout } = await place.run(['import', 'a.jsonl', 'b.jsonl', '--out-dir', 'out', '--json']);
    expect(code).toBe(0);
    expect(parsed(stdout)).toEqual([
      {
        file: 'a.jsonl',
        format: 'jsonrpc',
        output: 'out/a.trace.jsonl',
        messages: 2,
        events: 4,
        orphans: 0,
        pending: 0,
        orphan_responses: [],
      },
      {
        file: 'b.jsonl',
        format: 'jsonrpc',
        output: 'out/b.trace.jsonl',
        messages: 1,
        events: 4,
        orphans: 0,
        pending: 1,
        orphan_responses: [],
      },
      { summary: { files: 2, messages: 3, events: 8, orphans: 0, pending: 1 } },
    ]);
    expect(place.files()).toContain('out/b.trace.jsonl');
  });

  it.each([[[]], [['--to', 'trace']], [['--to', 'session']]])(
    'lists the responses without a request in the report, with their ids and lines, with %j',
    async (to) => {
      const place = new CommandPlace();
      place.write('talk.jsonl', `${call}\n\n{"jsonrpc":"2.0","id":7,"result":{}}\n`);
      const { stdout } = await place.run(['import', 'talk.jsonl', ...to, '-o', 'out.jsonl', '--json']);
      expect(parsed(stdout)).toMatchObject([{ orphans: 1, orphan_responses: [{ id: '7', line: 3 }] }]);
    },
  );

  it('writes to stdout with -o -', async () => {
    const place = new CommandPlace();
    place.write('talk.jsonl', `${call}\n${answer}\n`);
    const { code, stdout } = await place.run(['import', 'talk.jsonl', '-o', '-']);
    expect([code, parsed(stdout).map(({ type }) => type)]).toEqual([
      0,
      ['episode_start', 'step', 'tool_call', 'episode_end'],
    ]);
    expect(place.files()).toEqual(['talk.jsonl']);
  });

  it('names the elements of an array in every message, from 1', async () => {
    const place = new CommandPlace();
    const orphan = '{"jsonrpc":"2.0","id":7,"result":{}}';
    place.write('talk.json', `[\n\n${call},\n{"foo":1},\n${orphan}]`);
    const { stderr } = await place.run(['import', 'talk.json', '--format', 'inspector', '-o', 'out.jsonl']);
    expect(stderr).toContain('talk.json: element 2: not a message');
    expect(stderr).toContain('talk.json: element 3: a response with the id "7" matches no request');
    place.write('twice.json', `[\n\n${call},\n${call}]`);
    const twice = await place.run(['import', 'twice.json', '--format', 'inspector', '-o', 'out.jsonl']);
    expect(twice.stderr).toMatch(/duplicate tools\/call request id "1" at element 2, first at element 1\n$/);
  });

  it('lists the conversations of a capture of two servers, and imports one of them', async () => {
    const place = new CommandPlace();
    const record = (session: string, name: string): string =>
      `{"session_id":"${session}","server_label":"of-${session}","seq":1,"ts":"2026-03-04T10:00:00Z","direction":"c2s","transport":"stdio",` +
      `"raw":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}"}}}\n`;
    place.write('two.jsonl', record('s-1', 'A') + record('s-2', 'B'));
    expect(await place.run(['import', 'two.jsonl', '-o', 'out.jsonl'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Error: The session has several conversations: 0 and 1.'),
    });
    expect(await place.run(['import', 'two.jsonl', '-o', 'out.jsonl', '--conversation', '1'])).toMatchObject({
      code: 0,
    });
    expect(place.read('out.jsonl')).toContain('"tool_name":"B"');
    const { stdout } = await place.run(['inspect', '--calls', '--json', 'two.jsonl']);
    expect(parsed(stdout).map(({ server }) => server)).toEqual(['of-s-1', 'of-s-2', undefined]);
  });

  it.each(['trace', 'session'])('turns a transcript into a %s that inspect reads', async (kind) => {
    const place = new CommandPlace();
    place.write('talk.jsonl', `${call}\n${answer}\n`);
    expect(await place.run(['import', 'talk.jsonl', '--to', kind, '-o', 'recording'])).toMatchObject({ code: 0 });
    const { stdout } = await place.run(['inspect', 'recording']);
    expect(stdout).toContain('#000 > tools/call id=1');
    expect(stdout).toContain('#001 < (response) id=1 corr=');
  });

  it('does not overwrite a transcript with its own recording unless -o names it', async () => {
    const place = new CommandPlace();
    place.write('talk.jsonl', `${call}\n${answer}\n`);
    expect(await place.run(['import', 'talk.jsonl', '--to', 'trace'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'Error: The output would overwrite its input talk.jsonl. Name another file with -o.\n',
    });
    expect(place.read('talk.jsonl')).toBe(`${call}\n${answer}\n`);
    expect(await place.run(['import', 'talk.jsonl', '--to', 'trace', '-o', 'talk.jsonl'])).toMatchObject({ code: 0 });
    expect(place.read('talk.jsonl')).toContain('"type":"meta"');
  });

  it.each<[what: string, content: string | Uint8Array, args: string[], error: string]>([
    ['a line that is no JSON', `${call}\nnope\n`, [], 'talk.jsonl: invalid JSON on line 2'],
    ['a line that is no object', `${call}\n7\n`, [], 'talk.jsonl: MCP event at source line 2 must be a JSON object'],
    ['nothing but such lines', 'nope\n', [], 'No JSON-RPC message in talk.jsonl: invalid JSON on line 1'],
    ['an empty file', '\n\n', [], 'No JSON-RPC message in talk.jsonl'],
    [
      'bytes that are no UTF-8',
      Buffer.from(`${call}\n{"a":"\xff"}\n`, 'latin1'),
      [],
      'talk.jsonl: line 2 is not UTF-8 at byte 6',
    ],
    [
      'a message without a version',
      '{"id":1,"method":"x"}\n',
      ['--strict-jsonrpc'],
      'talk.jsonl: message on source line 1 is not JSON-RPC 2.0: "jsonrpc" must be "2.0"',
    ],
    [
      'an object that is no message',
      '{"a":1,"b":2}\n',
      [],
      'No JSON-RPC message in talk.jsonl: it is a JSON object with the keys "a", "b"',
    ],
    [
      'an id that is an object',
      '{"jsonrpc":"2.0","id":{},"method":"x"}\n',
      [],
      'talk.jsonl: JSON-RPC id on source line 1 must not be an object',
    ],
  ])('refuses %s with a one-line error, and leaves an existing result alone', async (_, content, args, error) => {
    const place = new CommandPlace();
    place.write('talk.jsonl', content);
    place.write('out.jsonl', 'as it was');
    const { code, stdout, stderr } = await place.run([
      'import',
      'talk.jsonl',
      '--format',
      'jsonrpc',
      '--out-trace',
      'out.jsonl',
      ...args,
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.startsWith(`Error: ${error}`)).toBe(true);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(place.files()).toEqual(['out.jsonl', 'talk.jsonl']);
    expect(place.read('out.jsonl')).toBe('as it was');
  });

  it('warns about the torn last line of a trace, and does not fail even with --strict', async () => {
    const place = new CommandPlace();
    place.write('torn.jsonl', `{"t":"2026-03-04T10:00:00.000Z","dir":"in","raw":${call}}\n{"t":"2026-03`);
    for (const strict of [[], ['--strict']]) {
      expect(
        await place.run(['import', 'torn.jsonl', '--format', 'trace', '--out-trace', 'out.jsonl', ...strict]),
      ).toMatchObject({
        code: 0,
        stderr: 'torn.jsonl: line 2: cut off in the middle\n',
      });
    }
  });

  it('names the file if the transcript is of another transport', async () => {
    const place = new CommandPlace();
    place.write('talk.json', '{"transport":"http-sse","entries":[]}');
    expect(await place.run(['import', 'talk.json', '--format', 'streamable-http'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^Error: talk\.json: streamable-http transcript transport must be "streamable-http", found "http-sse"/,
      ),
    });
  });

  it('accepts invalid UTF-8 with --lossy, and an empty file with --allow-empty', async () => {
    const place = new CommandPlace();
    place.write('talk.jsonl', Buffer.from(`${call}\n{"jsonrpc":"2.0","id":1,"result":"\xff"}\n`, 'latin1'));
    expect(await place.run(['import', 'talk.jsonl', '--format', 'jsonrpc', '--lossy'])).toMatchObject({ code: 0 });
    expect(place.read('talk.trace.jsonl')).toContain('"result":"\ufffd"');
    place.write('none.jsonl', '\n');
    expect(await place.run(['import', 'none.jsonl', '--format', 'jsonrpc', '--allow-empty'])).toMatchObject({
      code: 0,
    });
    expect(parsed(place.read('none.trace.jsonl')).map(({ type }) => type)).toEqual(['episode_start', 'episode_end']);
  });

  it.each([
    [['import'], "Error: Missing required argument 'file'."],
    [['import', 'a', 'b', '--out-trace', 'x'], 'Error: 2 inputs cannot be written to one file, x. Use --out-dir.'],
    [
      ['import', 'a', '-o', 'x', '--out-trace', 'y'],
      'Error: -o and --out-trace cannot be used together. Use one of them.',
    ],
    [['import', 'a', '--format', 'what'], 'Error: Unknown --format: what.'],
    [
      ['import', 'a/talk.json', 'b/talk.json', '--out-dir', 'out'],
      'Error: a/talk.json and b/talk.json would both be written to out/talk.trace.jsonl. Import one at a time.',
    ],
    [
      ['import', 'talk.json', './talk.trace.jsonl'],
      'Error: The output would overwrite its input talk.trace.jsonl. Name another file with --out-dir.',
    ],
  ])('rejects %j as a usage error', async (args, error) => {
    const { code, stderr } = await new CommandPlace().run(args);
    expect(code).toBe(2);
    expect(stderr.startsWith(error)).toBe(true);
  });
});
