import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { splitCommandLine } from '../../src/model/command-line.ts';
import { AGE_ARMORED, AGE_KEY_FILE, AGE_PLAIN, AGE_RECIPIENT } from '../support/age-sample.ts';
import { CommandPlace } from '../support/command-place.ts';
import { GITHUB_TOKEN } from '../support/sample-secrets.ts';
import { pings, sessionText } from '../support/session-texts.ts';

const recording = sessionText([
  { payload: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"q":"x"}}}' },
  { from: '<', payload: `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"${GITHUB_TOKEN}"}]}}` },
  { payload: '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"=hang"}}' },
]);

/** A collector that answers with the given status and body, and keeps the requests it received. */
async function collector(
  answer: { readonly status?: number; readonly body?: string } = {},
): Promise<{ readonly url: string; readonly posts: { path: string; headers: IncomingHttpHeaders; body: string }[] }> {
  const posts: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      posts.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' }).end(answer.body ?? '{}');
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, posts };
}

describe('export', () => {
  it.each([
    ['har', (text: string) => JSON.parse(text).log.entries.length === 2],
    ['otlp', (text: string) => JSON.parse(text).resourceSpans[0].scopeSpans[0].spans.length === 2],
    ['markdown', (text: string) => text.match(/^<details>/gm)?.length === 2],
    ['csv', (text: string) => text.split('\r\n').length === 4 && text.includes(",'=hang,")],
  ] as const)('writes %s without secrets, and reports what the format does not include', async (format, isRight) => {
    const place = new CommandPlace();
    place.write('s.json', recording);
    const { code, stdout, stderr } = await place.run(['export', 's.json', '-f', format, '-o', 'out']);
    expect([code, stdout]).toEqual([0, 'Exported 3 messages to out\n']);
    expect(stderr).toMatch(/Not included in \w+: .+\n$/);
    const text = place.read('out');
    expect(isRight(text)).toBe(true);
    expect(text).not.toContain(GITHUB_TOKEN);
    expect(place.mode('out')).toBe(0o600);
  });

  it.each([
    [
      'har',
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      /^Not included in har: the order of messages within a millisecond\n$/,
    ],
    ['csv', '{"jsonrpc":"2.0","method":"ping"}', /^Not included in csv: [^\n]*, 1 notification\n$/],
  ])(
    'counts what the %s export of a session does not include, and names nothing that it does not have',
    async (format, text, reported) => {
      const place = new CommandPlace();
      place.write('s.jsonl', `${text}\n`);
      const { stderr } = await place.run(['export', 's.jsonl', '-f', format, '-o', 'out']);
      expect(stderr).toMatch(reported);
    },
  );

  it('writes an HTTP archive that mcpreel can read', async () => {
    const place = new CommandPlace();
    place.write('s.json', recording);
    await place.run(['export', 's.json', '-f', 'har', '-o', 'x.har']);
    const { code, stdout } = await place.run(['inspect', 'x.har']);
    expect(code).toBe(0);
    expect(stdout).toContain('Session: 550e8400-e29b-41d4-a716-446655440000');
    expect(stdout).toContain('> tools/call id=1\n  #001 < (response) id=1 corr=msg-001\n  #002 > tools/call id=2');
  });
});

describe('export of a session file with events', () => {
  it('redacts secrets in events and keeps the rest', async () => {
    const raw = `{"exchange":0,"method":"POST","path":"/mcp","status":200,"note":"${GITHUB_TOKEN}"}`;
    const events = `"events": [{"before": 0, "timestamp": "2026-03-04T10:00:01+00:00", "kind": "http.exchange", "raw": ${raw}}]`;
    const { code, stdout } = await new CommandPlace().run(['export', '-', '-f', 'har'], {
      input: sessionText(pings(1), events),
    });
    expect(code).toBe(0);
    expect(stdout).toContain('"exchange":0');
    expect(stdout).not.toContain(GITHUB_TOKEN);
  });
});

describe('export to a collector', () => {
  it('sends the spans to the OTLP path, with the given headers', async () => {
    const place = new CommandPlace();
    const { url, posts } = await collector();
    place.write('s.json', recording);
    const header = 'Authorization: Bearer for-the-collector';
    const { code, stdout } = await place.run(['export', 's.json', '-f', 'otlp', '--endpoint', url, '--header', header]);
    expect([code, stdout]).toEqual([0, `Sent 2 spans to ${url}/v1/traces\n`]);
    const written = (await place.run(['export', 's.json', '-f', 'otlp'])).stdout;
    expect(posts.map(({ path, body }) => [path, `${body}\n`])).toEqual([['/v1/traces', written]]);
    expect(posts[0]?.headers).toMatchObject({
      authorization: 'Bearer for-the-collector',
      'content-type': 'application/json',
    });
  });

  it('sends no secret', async () => {
    const place = new CommandPlace();
    const uri = `https://example.com/?token=${GITHUB_TOKEN}`;
    const failed = `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"${GITHUB_TOKEN}"}}`;
    const read = `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"${uri}"}}`;
    place.write('s.json', sessionText([{ payload: read }, { from: '<', payload: failed }]));
    const { url, posts } = await collector();
    const { code, stderr } = await place.run(['export', 's.json', '-f', 'otlp', '--endpoint', url]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Redacted 2 secrets: /)]);
    expect(posts.map(({ body }) => body).join('\n')).toMatch(/resources\/read.*REDACTED/);
    expect(posts.map(({ body }) => body).join('\n')).not.toContain(GITHUB_TOKEN);
  });

  it('sends many spans in several requests', async () => {
    const place = new CommandPlace();
    const { url, posts } = await collector();
    place.write('s.json', sessionText(pings(1300)));
    const { stdout } = await place.run(['export', 's.json', '-f', 'otlp', '--endpoint', `${url}/otlp/in`]);
    expect(stdout).toBe(`Sent 1300 spans to ${url}/otlp/in\n`);
    expect(posts.map(({ path }) => path)).toEqual(['/otlp/in', '/otlp/in', '/otlp/in']);
  });

  it.each([
    [{ status: 401 }, 'responded with 401 Unauthorized. Add credentials: --header "Authorization: …"'],
    [{ status: 302 }, 'responded with 302 Found'],
    [
      { body: '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old\\u001b[2J"}}' },
      'rejected 2 spans: too old\\u001b[2J',
    ],
  ])('fails with one line if the collector refuses: %j', async (answer, sent) => {
    const place = new CommandPlace();
    const { url } = await collector(answer);
    place.write('s.json', recording);
    const { code, stdout, stderr } = await place.run(['export', 's.json', '-f', 'otlp', '--endpoint', url]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`Error: ${url}/v1/traces ${sent}\n`);
  });

  it('fails with one line if the connection is refused', async () => {
    const place = new CommandPlace();
    place.write('s.json', recording);
    const endpoint = 'http://127.0.0.1:1/v1/traces?key=secret';
    const { code, stderr } = await place.run(['export', 's.json', '-f', 'otlp', '--endpoint', endpoint]);
    expect([code, stderr]).toEqual([
      1,
      'Error: Cannot reach http://127.0.0.1:1/v1/traces: it refused the connection\n',
    ]);
  });

  it.each([
    [['-f', 'har', '--endpoint', 'http://x/'], '--endpoint does not work with -f har'],
    [
      ['-f', 'otlp', '--endpoint', 'http://x/', '-o', 'y'],
      '--endpoint and -o cannot be used together. Remove one of them.',
    ],
    [['-f', 'otlp', '--header', 'A: b'], '--header works only with --endpoint. Add it, or remove the flag.'],
    [
      ['-f', 'otlp', '--endpoint', 'grpc://x'],
      '--endpoint grpc://x is not an HTTP URL. Write it like http://localhost:4318/v1/traces.',
    ],
    [
      ['-f', 'otlp', '--endpoint', 'grpc://u:p@x'],
      '--endpoint … is not an HTTP URL. Write it like http://localhost:4318/v1/traces.',
    ],
    [
      ['-f', 'otlp', '--endpoint', 'http://u:p@x'],
      '--endpoint contains a password. Send it with --header "Authorization: …" instead.',
    ],
    [
      ['-f', 'otlp', '--endpoint', 'http://x', '--encrypt-to', AGE_RECIPIENT],
      '--endpoint and --encrypt-to cannot be used together. Remove one of them.',
    ],
  ])('refuses invalid combinations of flags: %j', async (flags, sent) => {
    const { code, stderr } = await new CommandPlace().run(['export', 'nothing.json', ...flags]);
    expect([code, stderr]).toEqual([2, `Error: ${sent}\n`]);
  });
});

describe('encryption', () => {
  it('makes an export readable only for the recipients, in a file and on stdout', async () => {
    const place = new CommandPlace();
    place.write('s.json', recording);
    place.write('key.txt', AGE_KEY_FILE);
    const { code, stdout } = await place.run(['export', 's.json', '-o', 's.age', '--encrypt-to', AGE_RECIPIENT]);
    expect([code, stdout]).toEqual([0, 'Exported 3 messages to s.age\n']);
    expect(place.mode('s.age')).toBe(0o600);
    expect(place.read('s.age')).toMatch(/^age-encryption\.org\/v1\n/);
    expect(place.read('s.age')).not.toContain('tools/call');
    const plain = (await place.run(['export', 's.json'])).stdout;
    const opened = await place.run(['export', 's.age', '--identity', 'key.txt']);
    expect(withoutSalt(opened.stdout)).toBe(withoutSalt(plain));
    const piped = await place.run(['export', 's.json', '-f', 'trace', '--encrypt-to', AGE_RECIPIENT]);
    const again = await place.run(['inspect', '-', '--identity', 'key.txt'], { input: piped.bytes });
    expect(again.stdout).toContain('Messages: 3');
  });

  it.each(['inspect', 'export', 'redact', 'import'])(
    'an encrypted session is decrypted by every command that reads: %s',
    async (command) => {
      const place = new CommandPlace();
      place.write('x.age', AGE_ARMORED);
      place.write('key.txt', AGE_KEY_FILE);
      const output = command === 'import' ? ['--to', 'trace', '-o', '-'] : [];
      const { code, stdout } = await place.run([command, 'x.age', '--identity', 'key.txt', ...output]);
      expect(code).toBe(0);
      expect(stdout).toContain('ping');
      if (command === 'redact') expect(stdout).toBe(AGE_PLAIN);
    },
  );

  it('leaves no decrypted data in a temporary file', async () => {
    const place = new CommandPlace();
    place.write('key.txt', AGE_KEY_FILE);
    const { stdout } = await place.runBuilt(['inspect', '-', '--identity', 'key.txt'], {
      input: AGE_ARMORED,
      env: { TMPDIR: place.folder },
    });
    expect(stdout).toContain('ping');
    expect(place.files()).toEqual(['key.txt']);
  });

  it.each([
    [[], 'x.age is encrypted. Pass your key file: --identity FILE'],
    [['--identity', 'none.txt'], 'Cannot read none.txt: no such file or folder'],
    [['--identity', 'x.age'], 'x.age is itself encrypted. Decrypt it with age first.'],
  ])('fails with one line without the key: %j', async (flags, sent) => {
    const place = new CommandPlace();
    place.write('x.age', AGE_ARMORED);
    const { code, stdout, stderr } = await place.run(['inspect', 'x.age', ...flags]);
    expect([code, stdout, stderr]).toEqual([1, '', `Error: ${sent}\n`]);
  });

  it('refuses an invalid recipient before anything is read', async () => {
    const { code, stderr } = await new CommandPlace().run([
      'export',
      'nothing.json',
      '-o',
      'x',
      '--encrypt-to',
      'age1x',
    ]);
    expect([code, stderr]).toEqual([
      2,
      'Error: --encrypt-to age1x is not an age public key. Use the public key that age-keygen prints: age1….\n',
    ]);
  });
});

describe('docs/exports.md', () => {
  it('contains only commands that work', async () => {
    const place = new CommandPlace();
    const { url, posts } = await collector();
    place.write('session.json', recording);
    place.write('key.txt', AGE_KEY_FILE);
    const text = readFileSync(new URL('../../docs/exports.md', import.meta.url), 'utf8');
    const lines = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) => block.trimEnd().split('\n'));
    expect(lines.length).toBeGreaterThan(7);
    for (const line of lines) {
      const [, ...args] = splitCommandLine(line.replace('http://localhost:4318', url).replace('Bearer …', 'Bearer x'));
      expect(await place.run(args), line).toMatchObject({ code: 0 });
    }
    expect(posts.map(({ path }) => path)).toEqual(['/v1/traces', '/v1/traces']);
  });

  it('names every attribute and column', async () => {
    const place = new CommandPlace();
    place.write('session.json', recording);
    const text = readFileSync(new URL('../../docs/exports.md', import.meta.url), 'utf8');
    const spans = (await place.run(['export', 'session.json', '-f', 'otlp'])).stdout;
    const keys = [...spans.matchAll(/"key":"([^"]+)"/g)].map(([, key = '']) => key);
    const columns =
      (await place.run(['export', 'session.json', '-f', 'csv'])).stdout.split('\r\n')[0]?.split(',') ?? [];
    const unnamed = [...keys, ...columns].filter((name) => !text.includes(`\`${name}\``));
    expect(unnamed).toEqual([]);
  });
});

/** Removes the salt from placeholders, because each run uses a new one. */
function withoutSalt(text: string): string {
  return text.replaceAll(/(\[REDACTED:[\w-]+):[\da-f]{8}\]/g, '$1]');
}
