import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PLACEHOLDERS } from '../../src/redact/placeholder.ts';
import { CommandPlace } from '../support/command-place.ts';
import { jsonLines } from '../support/recordings.ts';
import { GITHUB_TOKEN, letters, PEM_LINES, SERVICE_ACCOUNT_TOKEN } from '../support/sample-secrets.ts';
import { sessionText } from '../support/session-texts.ts';
import { traceText } from '../support/trace-texts.ts';

function corpus(name: string): string {
  return readFileSync(new URL(`../corpus/${name}`, import.meta.url), 'utf8');
}

/** A sample file in which one word is replaced by a token. */
function withToken(name: string, word: string, token: string): string {
  const text = corpus(name);
  expect(text).toContain(word);
  return text.replaceAll(word, token);
}

/** Every readable format, with a word from its sample that is not part of the format. */
const SAMPLES: readonly (readonly [name: string, word: string])[] = [
  ['session-file/seed-example.json', 'my_server'],
  ['session-file/by-hand.json', 'example-server'],
  ['trace/mcpreel.jsonl', 'killed'],
  ['trace/wider-v1.jsonl', 'listening'],
  ['trace/bad-middle-line.jsonl', 'read_file'],
  ['trace/crlf.jsonl', 'read_file'],
  ['jsonrpc/lines.jsonl', 'read_file'],
  ['jsonrpc/tall-array.json', 'read_file'],
  ['streamable-http/doc-streamable-sse.json', 'Calculator'],
  ['http-sse/doc-http-sse.json', 'Calculator'],
  ['inspector/protocol.json', 'done'],
  ['inspector/network.json', 'done'],
  ['har/browser.har', String.raw`\\u00e9`],
  ['mcpsnoop/stdio.jsonl', 'Listening…'],
  ['mcp-recorder/http.json', 'calculator'],
  ['mcporter/two-servers.ndjson', 'list_issues'],
  ['mcp-cassette/stdio.jsonl', 'starting up'],
  ['mcp-rec/session.jsonl', 'Server ready'],
  ['claude-code/session.jsonl', 'I will look.'],
];

describe('redact', () => {
  it.each(SAMPLES)('removes a token from %s and keeps every other byte', async (name, word) => {
    const place = new CommandPlace();
    place.write('capture', withToken(name, word, GITHUB_TOKEN));
    const { code, stdout, stderr } = await place.run(['redact', 'capture', '-o', 'clean']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^Redacted \d+ secrets?: \d+ github-token$/m);
    const clean = place.read('clean');
    const [placeholder = ''] = clean.match(PLACEHOLDERS) ?? [];
    // A method name is part of the envelope and is kept.
    const tokensLeft = clean.split(GITHUB_TOKEN).length - 1;
    expect(clean.replaceAll(placeholder, GITHUB_TOKEN)).toBe(place.read('capture'));
    expect(tokensLeft).toBe(clean.split(`"method":"${GITHUB_TOKEN}"`).length - 1);
    expect(place.mode('clean')).toBe(0o600);
    expect(place.read('capture')).toBe(withToken(name, word, GITHUB_TOKEN));
  });

  it.each(SAMPLES)('does not change %s when run a second time', async (name, word) => {
    const place = new CommandPlace();
    place.write('capture', withToken(name, word, GITHUB_TOKEN));
    await place.run(['redact', 'capture', '-o', 'once', '--redact', 'strict']);
    const { code, stderr } = await place.run(['redact', 'once', '-o', 'twice', '--redact', 'strict']);
    expect({ code, told: stderr.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, told: 'Nothing to redact' });
    expect(place.read('twice')).toBe(place.read('once'));
  });

  it('writes to stdout without -o, and reports the redacted values on stderr', async () => {
    const input = sessionText([
      { payload: `{"jsonrpc":"2.0","id":1,"method":"a","params":["${GITHUB_TOKEN}","Bearer ${letters(30)}"]}` },
      { from: '<', payload: `{"jsonrpc":"2.0","id":1,"result":{"text":"${GITHUB_TOKEN}"}}` },
    ]);
    const { code, stdout, stderr } = await new CommandPlace().run(['redact', '-'], { input });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Redacted 3 secrets: 2 github-token, 1 bearer-token\n',
    });
    const placeholders = stdout.match(/\[REDACTED:github-token:[0-9a-f]{8}\]/g) ?? [];
    expect(new Set(placeholders).size).toBe(1);
    expect(placeholders).toHaveLength(2);
  });

  it('uses different placeholders for the same value in each run', async () => {
    const input = `{"jsonrpc":"2.0","method":"a","params":["${GITHUB_TOKEN}"]}\n`;
    const place = new CommandPlace();
    const [one, two] = [await place.run(['redact', '-'], { input }), await place.run(['redact', '-'], { input })];
    expect(one.stdout).not.toBe(two.stdout);
  });

  it('overwrites its own input if -o names it', async () => {
    const place = new CommandPlace();
    const name = place.write('t.jsonl', traceText({ meta: { note: GITHUB_TOKEN } }));
    expect(await place.run(['redact', name, '-o', name])).toMatchObject({ code: 0 });
    expect(place.read(name)).not.toContain(GITHUB_TOKEN);
    expect(place.files()).toEqual(['t.jsonl']);
  });

  it('removes a private key that spans several lines of stderr', async () => {
    const event = (text: string): string =>
      JSON.stringify({
        t: '2026-03-04T10:00:09.000Z',
        type: 'event',
        dir: 'event',
        kind: 'stdio.stderr',
        raw: { text },
      });
    const input = `${traceText()}${PEM_LINES.map(event).join('\n')}\n${event('ready')}\n`;
    const { stdout } = await new CommandPlace().run(['redact', '-'], { input });
    for (const line of PEM_LINES) expect(stdout).not.toContain(line);
    expect(stdout.endsWith(`${event('ready')}\n`)).toBe(true);
  });

  it('removes a token of a service account, and with --redact off keeps it', async () => {
    const input = traceText({ meta: { note: `x ${SERVICE_ACCOUNT_TOKEN} y` } });
    const { stdout, stderr } = await new CommandPlace().run(['redact', '-'], { input });
    expect(stdout).not.toContain(SERVICE_ACCOUNT_TOKEN);
    expect(stderr).toBe('Redacted 1 secret: 1 1password-token\n');
    const off = await new CommandPlace().run(['redact', '-', '--redact', 'off'], { input });
    expect(off.stdout).toBe(input);
  });

  it('removes the values that the flags select', async () => {
    const input = '{"jsonrpc":"2.0","method":"a","params":{"x":1,"colour":"red","y":"abc-123","password":"p"}}\n';
    const flags = '--redact off --redact-key Colour --redact-value [a-z]+-\\d+ --redact-path $.params.x'.split(' ');
    const { stdout, stderr } = await new CommandPlace().run(['redact', '-', ...flags], { input });
    const kinds = { x: 'path', colour: 'colour', y: 'pattern' };
    const { params } = jsonLines(stdout)[0] as { params: Record<string, string> };
    for (const [key, kind] of Object.entries(kinds)) expect(params[key]).toContain(`[REDACTED:${kind}:`);
    expect(params.password).toBe('p');
    expect(stderr).toBe('Redacted 3 secrets: 1 colour, 1 path, 1 pattern\n');
  });

  it('reports as JSON, separate from the result', async () => {
    const place = new CommandPlace();
    place.write('t.jsonl', traceText({ meta: { note: GITHUB_TOKEN } }));
    const report = { file: 't.jsonl', secrets: 1, kinds: { 'github-token': 1 }, problems: 0 };
    const toFile = await place.run(['redact', 't.jsonl', '-o', 'o.jsonl', '--json']);
    expect(JSON.parse(toFile.stdout)).toEqual({ ...report, output: 'o.jsonl' });
    const toStdout = await place.run(['redact', 't.jsonl', '--json']);
    expect(JSON.parse(toStdout.stderr)).toEqual({ ...report, output: null });
  });

  it('finds a session by its id', async () => {
    const place = new CommandPlace();
    place.write(
      'home/sessions/2026-03-04T10-00-00-000Z-fs-abcd1234.jsonl',
      traceText({ meta: { note: GITHUB_TOKEN } }),
    );
    const { code, stderr } = await place.run(['redact', 'abcd']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Redacted 1 secret: 1 github-token\n' });
  });

  it('redacts and keeps unreadable lines, with a warning; fails with --strict', async () => {
    const place = new CommandPlace();
    const odd = Buffer.concat([
      Buffer.from(`${traceText()}\n`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(` ${GITHUB_TOKEN}\n{"t`),
    ]);
    place.write('t.jsonl', odd);
    const { code, bytes, stderr } = await place.run(['redact', 't.jsonl']);
    expect(code).toBe(0);
    const expected = odd.toString('latin1').replace(GITHUB_TOKEN, '#');
    expect(bytes.toString('latin1').replace(PLACEHOLDERS, '#')).toBe(expected);
    expect(stderr).toMatch(/^t\.jsonl: line 5: not UTF-8.*\nt\.jsonl: line 6: not JSON.*\nRedacted 1 secret/);
    const strict = await place.run(['redact', 't.jsonl', '-o', 'o.jsonl', '--strict']);
    expect(strict).toMatchObject({ code: 1, stdout: '' });
    expect(place.files()).toEqual(['t.jsonl']);
  });

  it('handles a line of 10 MB, and one that consists of brackets', async () => {
    const long = `{"jsonrpc":"2.0","result":"${'lorem ipsum '.repeat(900_000)}${GITHUB_TOKEN}"}`;
    const deep = `${'[{"a":'.repeat(100_000)}"${GITHUB_TOKEN}"${'}]'.repeat(100_000)}`;
    const { code, stdout } = await new CommandPlace().run(['redact', '-'], { input: `${long}\n${deep}\n` });
    expect(code).toBe(0);
    expect(stdout.replaceAll(PLACEHOLDERS, GITHUB_TOKEN)).toBe(`${long}\n${deep}\n`);
    expect(stdout).not.toContain(GITHUB_TOKEN);
  });
});

describe('redact --check', () => {
  it('reports each secret by kind and path, never by value, and exits with 3', async () => {
    const place = new CommandPlace();
    const payload = `{"jsonrpc":"2.0","id":1,"method":"a","params":{"${GITHUB_TOKEN}":["${GITHUB_TOKEN}"]}}`;
    place.write('session.json', sessionText([{ payload }]).replace('my_server.py', '--api-key hunter2'));
    const { code, stdout, stderr } = await place.run(['redact', '--check', 'session.json']);
    expect(code).toBe(3);
    expect(stdout.replaceAll(PLACEHOLDERS, '#')).toBe(
      [
        'session.json: $.server_command: api-key',
        'session.json: $.messages[0].payload.params.#: github-token',
        'session.json: $.messages[0].payload.params.#[0]: github-token',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('Found 3 secrets: 2 github-token, 1 api-key\n');
    expect(stdout + stderr).not.toMatch(/ghp_|hunter2/);
    expect(place.files()).toEqual(['session.json']);
  });

  it('reports the line in a trace, also as JSON', async () => {
    const input = `${traceText()}{"t":"2026-03-04T10:00:09.000Z","dir":"in","raw":{"jsonrpc":"2.0","params":["${GITHUB_TOKEN}"]}}\n`;
    const { code, stdout } = await new CommandPlace().run(['redact', '--check', '--json', '-'], { input });
    expect(code).toBe(3);
    expect(jsonLines(stdout)).toEqual([
      { line: 4, path: '$.raw.params[0]', kind: 'github-token' },
      { summary: { file: 'standard input', secrets: 1, kinds: { 'github-token': 1 }, problems: 0 } },
    ]);
  });

  it('exits with 0 for a file that was redacted', async () => {
    const place = new CommandPlace();
    place.write('t.jsonl', traceText({ meta: { note: GITHUB_TOKEN } }));
    await place.run(['redact', 't.jsonl', '-o', 'clean.jsonl']);
    const { code, stdout, stderr } = await place.run(['redact', '--check', 'clean.jsonl']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: 'No secrets in clean.jsonl\n' });
  });
});

describe('redact errors', () => {
  it.each([
    ['a missing file', ['redact', 'nowhere.json'], 1, 'No file or session id "nowhere.json"'],
    ['an empty file', ['redact', 'empty'], 1, 'The file is empty: empty'],
    ['a file of another kind', ['redact', 'notes.txt'], 1, 'notes.txt is neither JSON nor JSON Lines'],
    ['a document that is cut off', ['redact', 'torn.json'], 1, 'torn.json is not a complete JSON document'],
    ['a folder', ['redact', 'home'], 1, 'home is a folder'],
    ['no file', ['redact'], 2, 'No session given'],
    [
      'a pattern that does not compile',
      ['redact', 'x', '--redact-value', '('],
      2,
      'Cannot use the redaction pattern "("',
    ],
    ['a path that ', ['redact', 'x', '--redact-path', 'a.b'], 2, 'Cannot use the redaction path "a.b"'],
    ['an unknown mode', ['redact', 'x', '--redact', 'some'], 2, 'Unknown --redact: some'],
    ['an output of a check', ['redact', 'x', '--check', '-o', 'y'], 2, '--check and -o cannot be used together'],
    ['a pattern of export', ['export', 'x', '--redact-value', '('], 2, 'Cannot use the redaction pattern "("'],
  ])('reports %s in one line', async (_, args, status, message) => {
    const place = new CommandPlace();
    place.write('empty', '');
    place.write('notes.txt', `nothing to see\n${GITHUB_TOKEN}\n`);
    place.write('torn.json', corpus('session-file/torn.json'));
    place.write('home/x', '');
    const { code, stdout, stderr } = await place.run(args);
    expect({ code, stdout }).toEqual({ code: status, stdout: '' });
    expect(stderr.startsWith(`Error: ${message}`)).toBe(true);
    expect(stderr.trimEnd()).not.toContain('\n');
  });
});
