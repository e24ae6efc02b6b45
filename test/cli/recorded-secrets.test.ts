import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { eventsOf, parseTrace, type RecordedMessage, readSessionFile } from '../support/recordings.ts';
import { echoServer, scriptServer } from '../support/servers.ts';

const FILESYSTEM_SERVER = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', import.meta.url),
);

// Built at runtime, so that secret scanners do not report this file.
const github = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`;
const slack = `xoxb-${'123456789012'}-${'123456789012'}-${'aBcDeFgHiJkLmNoPqRsTuVwX'}`;
const openai = `sk-proj-${'aB3dE6gH9jKlMnOpQrStUvWx'.repeat(2)}`;
const aws = `AKIA${'IOSFODNN7ABCDEFG'}`;
const password = 'hunter2-is-not-long';
const given = 'plain words that nobody would take for a secret';
const keyLines = [
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7',
  'VJTUt9Us8cKjMzEfYyjiWA4R4ndM2gHrVQIDAQABAoIBAG0qV1',
];
const pem = ['-----BEGIN PRIVATE KEY-----', ...keyLines, '-----END PRIVATE KEY-----'];
const canaries = [github, slack, openai, aws, password, given, ...keyLines];

const inside = JSON.stringify({ token: openai, fine: true });
const message = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'fetch',
    arguments: { deep: [{ er: { still: `see ${github} there` } }], inside, url: `https://me:${password}@example.org/` },
    _meta: { progressToken: slack },
  },
});
const clean = '{"jsonrpc":"2.0","id":2,"result":{"data":"aGVsbG8gd29ybGQ=","n":1.0,"big":12345678901234567890}}';

/** A server that echoes its input, and prints a key and the variable GIVEN_PASSWORD on stderr. */
const talkative = `
  process.stdin.pipe(process.stdout);
  process.stderr.write(${JSON.stringify(`${pem.join('\n')}\nthat was ${aws}\n`)});
  process.stderr.write('given: ' + process.env.GIVEN_PASSWORD + '\\n');
`;

const flags = ['--env', `GIVEN_PASSWORD=${given}`, '--session-file', 'session.json', '--meta', `note=${github}`];

describe('secrets', () => {
  it.each([
    ['wrapped', []],
    ['recorded in rotating files', ['--max-bytes', '2k']],
    ['recorded strictly', ['--redact', 'strict']],
  ])('writes no secret of a session that was %s, and forwards all traffic unchanged', async (_, more) => {
    const place = new Place();
    const input = `${message}\n${clean}\nnoise with ${slack}x\nand ${github}\n`;
    place.write('server.mjs', talkative);
    const server = [process.execPath, 'server.mjs', '--token', github, `https://x:${password}@example.org`];
    const { code, stdout, stderr } = await place.run([...flags, ...more, '--', ...server], { input });
    expect({ code, stdout }).toEqual({ code: 0, stdout: input });
    expect(stderr).toBe(`${pem.join('\n')}\nthat was ${aws}\ngiven: ${given}\n`);
    const files = place.files().filter((name) => name !== 'server.mjs');
    expect(files.length).toBeGreaterThanOrEqual(2);
    const written = files.map((name) => ({ name, text: place.read(name) }));
    // Progress tokens correlate messages, so they are not redacted.
    const meant = written.map(({ name, text }) => ({ name, text: text.replaceAll(`"progressToken":"${slack}"`, '') }));
    for (const canary of canaries) {
      expect(
        meant.filter(({ text }) => text.includes(canary)).map(({ name }) => name),
        canary,
      ).toEqual([]);
    }
  });

  it('placeholders show which secrets are equal, and JSON text stays valid', async () => {
    const place = new Place();
    await place.run([...flags, '--', ...echoServer], { input: `${message}\n` });
    const { meta, messages } = parseTrace(place.trace());
    const [sent, received] = messages.map(({ payload }) => JSON.stringify(payload));
    expect(sent).toBe(received);
    const [placeholder] = /\[REDACTED:github-token:[\da-f]{8}\]/.exec(sent ?? '') ?? [];
    expect(meta).toMatchObject({ redact: 'secrets', env: ['GIVEN_PASSWORD'], metadata: { note: placeholder } });
    const [{ payload }] = messages as [RecordedMessage];
    const { arguments: args } = payload.params as { arguments: { inside: string; url: string } };
    expect(JSON.parse(args.inside)).toEqual({ token: expect.stringMatching(/^\[REDACTED:/), fine: true });
    expect(args.url).toMatch(/^https:\/\/me:\[REDACTED:[^\]]+\]@example\.org\/$/);
    expect(readSessionFile(place.path('session.json')).messages).toEqual(messages);
  });

  it('removes the values of inherited variables in every encoding, but keeps short and ordinary values', async () => {
    const place = new Place();
    const key = 'zeta/9 "quoted" key';
    const encoded = ['', 'a', 'ab'].map((before) => btoa(`${before}${key} and more`));
    const forms = [key, encodeURIComponent(key), ...encoded];
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 'test', method: 'm', params: { forms, note: 'a test of tests' } })}\n`;
    const folders = { PWD: place.folder, SSH_KEY_FILE: `${place.folder}/id_ed25519` };
    const env = { SERVICE_API_KEY: key, DB_PASSWORD: 'test', EDITOR: 'quoted', ...folders };
    const { stdout } = await place.run(['--session-file', 'session.json', '--', ...echoServer], { input, env });
    expect(stdout).toBe(input);
    for (const name of place.files()) {
      const text = place.read(name);
      for (const form of forms) expect(text).not.toContain(JSON.stringify(form).slice(1, -1));
      expect(text).toContain('a test of tests');
    }
    expect(place.trace()).toContain(`"cwd":${JSON.stringify(place.folder)}`);
  });

  it('removes the secrets of configuration files that the filesystem server reads', async () => {
    const place = new Place();
    const files = {
      '.env': 'NODE_ENV=production\r\nAIRTABLE_API_KEY=keyA1b2C3d4E5f6G7\r\nexport DB_PASSWORD="s3cr3t-Pa55word"\r\n',
      'values.yaml': 'auth:\n  rootPassword: s3cr3t-Pa55word\n  replicas: 3\n',
      'appsettings.json': '{"ConnectionStrings": {"Db": "Server=db;Password=s3cr3t-Pa55word;Encrypt=true"}}',
      'settings.xml': '<servers><server><password>s3cr3t-Pa55word</password></server></servers>',
      '.npmrc': '//npm.example.com/:_authToken=keyA1b2C3d4E5f6G7\n',
    };
    for (const [name, text] of Object.entries(files)) place.write(name, text);
    const request = (id: number, method: string, params: unknown): string =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const reads = Object.keys(files).map((name, index) =>
      request(index + 1, 'tools/call', { name: 'read_text_file', arguments: { path: place.path(name) } }),
    );
    const lines = [request(0, 'initialize', hello), '{"jsonrpc":"2.0","method":"notifications/initialized"}', ...reads];
    const server = [process.execPath, FILESYSTEM_SERVER, place.path('.')];
    const { stdout } = await place.run(['--session-file', 'out.json', '--', ...server], {
      input: `${lines.join('\n')}\n`,
    });
    expect(stdout).toContain('s3cr3t-Pa55word');
    for (const name of place.files().filter((file) => !(file in files))) {
      expect(place.read(name)).not.toMatch(/s3cr3t-Pa55word|keyA1b2C3d4E5f6G7/);
    }
    expect(place.read('out.json')).toContain('NODE_ENV=production');
  });

  it('keeps secrets with --redact off', async () => {
    const place = new Place();
    await place.run(['--redact', 'off', '--', ...echoServer], { input: `${message}\n` });
    expect(place.trace()).toContain(message);
    expect(parseTrace(place.trace()).meta).toMatchObject({ redact: 'off' });
  });
});

describe('custom redaction rules', () => {
  it('removes values by key, by pattern and by path', async () => {
    const place = new Place();
    const rules = ['--redact-key', 'pin', '--redact-value', 'order-[0-9]+', '--redact-path', '$.params.arguments.name'];
    const input = '{"method":"x","params":{"arguments":{"pin":1234,"name":"Ada","text":"see order-17 and order-x"}}}\n';
    const { stdout } = await place.run([...rules, '--', ...echoServer], { input });
    expect(stdout).toBe(input);
    const [first] = parseTrace(place.trace()).messages;
    expect(first?.payload.params).toEqual({
      arguments: {
        pin: expect.stringMatching(/^\[REDACTED:/),
        name: expect.stringMatching(/^\[REDACTED:/),
        text: expect.stringMatching(/^see \[REDACTED:pattern:[\da-f]{8}\] and order-x$/),
      },
    });
  });

  it.each([
    [['--redact-value', '(']],
    [['--redact-value', 'a*']],
    [['--redact-path', 'params[']],
    [['--redact', 'some']],
  ])('an invalid rule is a one-line error, and the server is not started: %j', async (rule) => {
    const place = new Place();
    const server = scriptServer("fs.writeFileSync('started', '')");
    for (const command of [[], ['record']]) {
      const { code, stdout, stderr } = await place.run([...command, ...rule, '--', ...server]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^Error: [^\n]+\n$/);
    }
    expect(place.files()).toEqual([]);
  });
});

it('clean traffic is recorded the same with and without redaction', async () => {
  const place = new Place();
  const input = [clean, '{"a":"\\u0041b"}', 'noise', '[{"method":"x"}]', `{"long":"${'text '.repeat(9000)}"}`].join(
    '\n',
  );
  const recorded: unknown[] = [];
  for (const mode of ['off', 'secrets']) {
    await place.run(['--redact', mode, '--trace-file', `${mode}.jsonl`, '--', ...echoServer], { input });
    const lines = place.read(`${mode}.jsonl`).split('\n').slice(1, -2);
    recorded.push(lines.map((line) => line.slice(line.indexOf('"raw":'))));
    expect(eventsOf(parseTrace(place.read(`${mode}.jsonl`)), 'stdio.noise')).toHaveLength(2);
  }
  expect(recorded[1]).toEqual(recorded[0]);
});
