import { describe, expect, it } from 'vitest';
import { commandLines } from '../support/command-lines.ts';
import { CommandPlace } from '../support/command-place.ts';
import { parseTrace } from '../support/recordings.ts';
import { sayingServer } from '../support/servers.ts';
import { seedExample } from '../support/session-texts.ts';

/** Both forms of a recording: what a client runs, and the command. */
const VALUES: Readonly<Record<string, string>> = {
  '--label': 'name',
  '--trace-file': 'file',
  '--env': 'key=value',
  '--session-file': 'file',
};
const FORMS = [[], ['record'], ['proxy', 'start']];

describe('a value that looks like a flag', () => {
  it.each(
    FORMS.flatMap((form) =>
      [
        ['--label', '--trace-file', 'x.jsonl'],
        ['--label', '-x'],
        ['--trace-file', '--label', 'x'],
        ['--env', '--label', 'x'],
        ['--session-file', '--headless'],
        ['--label'],
      ].map((flags) => [form, flags] as const),
    ),
  )('rejects a flag without a value, and never runs it as a server: %j %j', async (form, flags) => {
    const place = new CommandPlace();
    const { code, stdout, stderr } = await place.run([...form, ...flags, '--', 'node', '-e', '']);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `Error: Option '${flags[0]} <${VALUES[flags[0] ?? '']}>' argument missing. See mcpreel ${form.join(' ') || 'record'} --help.\n`,
    });
    expect(place.files()).toEqual([]);
  });

  it.each(['replay', 'mock'])('rejects a flag in place of the server of %s', async (command) => {
    const place = new CommandPlace();
    const { code, stderr } = await place.run([command, 'x.json', '--target-command', '--target-url', 'http://x/']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `Error: Option '--target-command <command>' argument missing. See mcpreel ${command} --help.\n`,
    });
  });

  it.each([
    ['export x.json -o --weird', '--output'],
    ['export x.json -o --no-redact', '--output'],
    ['export x.json -f -o y', '--output-format'],
    ['check x.json --expect-tool --json', '--expect-tool'],
    ['check x.json --junit -- y', '--junit'],
    ['import x.json --episode-id --json --out-trace -', '--episode-id'],
    ['trace import-mcp --input --json', '--input'],
    ['replay x.json --output --junit --dry-run -- true', '--output'],
    ['proxy export --session-file --output y', '--session-file'],
    ['sessions prune --older-than --yes', '--older-than'],
    ['baseline accept x.json --server --json', '--server'],
    ['inspect x.json --filter --json', '--filter'],
  ])('rejects a flag in place of a value in every command: mcpreel %s', async (line, flag) => {
    const place = new CommandPlace();
    const { code, stdout, stderr } = await place.run(line.split(' '));
    expect({ code, stdout, files: place.files() }).toEqual({ code: 2, stdout: '', files: [] });
    expect(stderr).toMatch(
      new RegExp(`^Error: Option '(?:-., )?${flag} <[^>]+>' argument missing\\. See mcpreel [a-z -]+ --help\\.\n$`),
    );
  });

  it('accepts a filter that begins with a dash and is not the name of a flag', async () => {
    const place = new CommandPlace();
    place.write('seed.json', seedExample);
    const { code, stdout } = await place.run(['inspect', 'seed.json', '--filter', '-method:initialize']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Messages: 0 of 2') });
  });

  it('accepts a file name that looks like a flag after an equals sign', async () => {
    const place = new CommandPlace();
    place.write('seed.json', seedExample);
    expect(await place.run(['export', 'seed.json', '--output=--weird'])).toMatchObject({ code: 0 });
    expect(place.files()).toEqual(['--weird', 'seed.json']);
  });

  it.each(commandLines(FORMS))(
    'accepts a value that looks like a flag after an equals sign: $line',
    async ({ args: form }) => {
      const place = new CommandPlace();
      const { code } = await place.runBuilt([...form, '--label=--weird', '--', ...sayingServer({})]);
      expect(code).toBe(0);
      expect(parseTrace(place.trace()).meta).toMatchObject({ label: '--weird', cwd: place.folder });
    },
  );
});

describe('a dash in place of a file', () => {
  it.each(
    FORMS.flatMap((form) => [
      [form, '--session-file', 'standard output belongs to the client'] as const,
      [form, '--trace-file', 'a trace cannot be written to standard output'] as const,
    ]),
  )('rejects a dash as a file of a stdio recording, and creates no file: %j %s', async (form, flag, why) => {
    const place = new CommandPlace();
    const { code, stderr } = await place.run([...form, flag, '-', '--', 'node', '-e', '']);
    expect({ code, stderr, files: place.files() }).toEqual({
      code: 2,
      stderr: `Error: ${flag} - is not a file: ${why}. Name a file.\n`,
      files: [],
    });
  });

  it.each(['--no-trace', '--save-every=5'])('rejects a dash together with %s', async (flag) => {
    const listen = ['--listen-transport', 'streamable-http', '--listen-port', '0'];
    const { code, stderr } = await new CommandPlace().run([
      'record',
      ...listen,
      '--session-file',
      '-',
      flag,
      '--',
      'x',
    ]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('--session-file - is standard output'),
    });
  });

  it('writes the session file of a listener to standard output for a dash', async () => {
    const place = new CommandPlace();
    const listen = ['--listen-transport', 'streamable-http', '--listen-port', '0', '--headless'];
    const running = place.start(['record', ...listen, '--session-file', '-', '--', ...sayingServer({})]);
    const [, url = ''] = await running.noted(/Listening on (\S+)/);
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}';
    await (await fetch(url, { method: 'POST', headers, body })).text();
    running.signal('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ transport: 'stdio', messages: [{ method: 'initialize' }, {}] });
    expect(place.files().filter((name) => !name.startsWith('home/'))).toEqual([]);
  });
});
