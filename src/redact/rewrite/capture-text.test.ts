import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectLinearGrowth } from '../../../test/support/growth.ts';
import { base64, GITHUB_TOKEN, letters, PEM_LINES } from '../../../test/support/sample-secrets.ts';
import { jsonText } from '../../../test/support/sample-texts.ts';
import { parseSseBody } from '../../protocol/sse/sse-body.ts';
import { compileValuePatterns } from '../detect/value-pattern.ts';
import { PLACEHOLDERS } from '../placeholder.ts';
import type { RedactOptions } from '../redactor.ts';
import { CaptureText, type FoundSecret } from './capture-text.ts';

/** The redacted texts of a capture, with each placeholder shortened to `#kind`. */
function redacted(
  texts: readonly string[],
  options: Partial<RedactOptions> = {},
): { texts: string[]; found: FoundSecret[] } {
  const found: FoundSecret[] = [];
  const capture = new CaptureText({ mode: 'secrets', salt: 'salt', ...options }, (secret) => found.push(secret));
  const shorten = (text: string): string =>
    text.replaceAll(PLACEHOLDERS, (placeholder) => `#${placeholder.split(':')[1]}`);
  return { texts: texts.map((text) => shorten(capture.redact(text))), found };
}

/** The same for one text, with the paths of what was found. */
function redactOne(text: string, options: Partial<RedactOptions> = {}): { text: string; paths: string[] } {
  const { texts, found } = redacted([text], options);
  return { text: texts[0] ?? '', paths: found.map(({ path }) => path) };
}

describe('redaction of a capture file', () => {
  it('keeps whitespace, numbers and escapes around a redacted value', () => {
    const text = (token: string): string =>
      ` { "a" :\t1.0, "raw" : { "jsonrpc":"2.0", "id" : 12345678901234567890, "params":["\\u00e9\\/ ${token} \\/"] } }\r`;
    expect(redactOne(text(GITHUB_TOKEN))).toEqual({
      text: text('#github-token'),
      paths: ['$.raw.params[0]'],
    });
  });

  it('keeps the envelope of a message anywhere in the file', () => {
    const { text } = redactOne(`{"messages":[{"payload":{"jsonrpc":"2.0","id":"${GITHUB_TOKEN}","method":"x"}}]}`);
    expect(text).toContain(GITHUB_TOKEN);
  });

  it('redacts the source of a message in a trace', () => {
    const line = `{"dir":"in","id":"m-1","source":"${GITHUB_TOKEN}","raw":{"jsonrpc":"2.0","method":"x"}}`;
    expect(redactOne(line).text).toBe(line.replace(GITHUB_TOKEN, '#github-token'));
  });

  it('keeps the ids that link the lines of a trace', () => {
    const line = `{"dir":"in","id":"${GITHUB_TOKEN}","corr":"${GITHUB_TOKEN}","raw":{}}`;
    expect(redactOne(line).text).toBe(line);
  });

  it.each([
    [
      'a trace',
      '{"v":1,"type":"meta","label":"hunter2-Horse-77","command":["npx","gate","--api-key","hunter2-Horse-77"]}',
    ],
    [
      'a session file',
      '{"server_command":"npx gate --api-key hunter2-Horse-77","trace":{"meta":{"label":"hunter2-Horse-77"}},"started_at":"2026-05-12T23:00:00Z","messages":[]}',
    ],
    [
      'an HTTP archive',
      '{"log":{"_mcp":{"label":"hunter2-Horse-77","command":["npx","gate","--api-key","hunter2-Horse-77"]},"entries":[]}}',
    ],
  ])('replaces the label of %s if it is a secret of its command', (_format, text) => {
    const redacted = redactOne(text).text;
    expect(redacted).not.toContain('hunter2');
    expect(redacted).toContain('"label":"gate"');
  });

  it.each(['200', 'event', 'data', 'e', '\\d+', '[a-z]+', 'id|retry', ':', '.+'])(
    'keeps the fields and ids of an event stream for the rule %s',
    async (pattern) => {
      const event = (id: number, text: string): string =>
        `event: message\r\nid: evt-${id}\r\nretry: 200\r\ndata: {"jsonrpc":"2.0","id":${id},"result":{"text":"${text}"}}\r\n\r\n`;
      const body = event(200, 'the data of event 200') + event(201, '1');
      const capture = new CaptureText({ mode: 'off', salt: 'x', patterns: await compileValuePatterns([pattern]) });
      const redactedBody = (
        JSON.parse(capture.redact(JSON.stringify({ responseBody: body }))) as { responseBody: string }
      ).responseBody;
      const linesOf = (text: string): string[] => text.split('\r\n').filter((line) => !line.startsWith('data'));
      expect(linesOf(redactedBody)).toEqual(linesOf(body));
      const ids = parseSseBody(redactedBody).map(({ data }) => (JSON.parse(data) as { id: number }).id);
      expect(ids).toEqual([200, 201]);
    },
  );

  it('redacts data of several lines in an event stream as one text, and comments', () => {
    const body = `: ${GITHUB_TOKEN}\n${GITHUB_TOKEN}\ndata: {"jsonrpc":"2.0","id":1,\ndata: "params":{"pin":"${GITHUB_TOKEN}"}}\n\n`;
    expect(redactOne(JSON.stringify({ body })).text).toBe(
      JSON.stringify({ body: body.replaceAll(GITHUB_TOKEN, '#github-token') }),
    );
    const key = PEM_LINES.map((line) => `data: ${line}\n`).join('');
    expect(redactOne(JSON.stringify({ body: `${key}data: jsonrpc\nid: 1\n\n` })).text).toBe(
      JSON.stringify({ body: `data: #private-key\ndata: jsonrpc\nid: 1\n\n` }),
    );
  });

  it.each([
    ['a trace', '{"dir":"in","raw":{"jsonrpc":"2.0","params":{"pin":"SECRET"}}}'],
    ['a session file', '{"messages":[{"payload":{"jsonrpc":"2.0","params":{"pin":"SECRET"}}}]}'],
    ['bare messages', '[[{"jsonrpc":"2.0","params":{"pin":"SECRET"}}]]'],
    [
      'an HTTP archive',
      '{"log":{"entries":[{"postData":{"text":"{\\"jsonrpc\\":\\"2.0\\",\\"params\\":{\\"pin\\":\\"SECRET\\"}}"}}]}}',
    ],
    [
      'an event stream',
      '{"responseBody":"event: message\\ndata: {\\"jsonrpc\\":\\"2.0\\",\\"params\\":{\\"pin\\":\\"SECRET\\"}}\\n\\n"}',
    ],
  ])('redacts by a path within each message of %s', (_, text) => {
    const options = { mode: 'off', paths: ['$.params.pin'] } as const;
    expect(redactOne(text, options).text).toBe(text.replace('SECRET', '#path'));
  });

  it.each(['{"text":"TEXT"}', '{"kind":"stdio.stderr","raw":{"text":"TEXT"}}', '{"direction":"stderr","text":"TEXT"}'])(
    'redacts tokens in the text of %s',
    (shape) => {
      const text = shape.replace('TEXT', `a ${GITHUB_TOKEN} b`);
      expect(redactOne(text).text).toBe(shape.replace('TEXT', 'a #github-token b'));
    },
  );

  it.each([
    ['events of a trace', (line: string) => `{"kind":"stdio.stderr","raw":{"text":${JSON.stringify(line)}}}`],
    ['lines of another tool', (line: string) => `{"direction":"stderr","text":${JSON.stringify(line)}}`],
  ])('redacts a private key that spans several %s', (_, shape) => {
    const { texts } = redacted([...PEM_LINES, 'ready'].map(shape));
    expect(texts).toEqual([...PEM_LINES.map(() => shape('#private-key')), shape('ready')]);
  });

  it('redacts a private key that spans several events of one document', () => {
    const events = (lines: readonly string[]): string =>
      `{"events":[${lines.map((text) => `{"kind":"stdio.stderr","raw":{"text":"${text}"}}`).join()}]}`;
    expect(redactOne(events(PEM_LINES)).text).toBe(events(PEM_LINES.map(() => '#private-key')));
  });

  it('redacts a secret in a body that is encoded in base64', () => {
    const body = (token: string): string => `{"jsonrpc":"2.0","result":"é ${token}"}`;
    const bytes = (text: string): string => base64(String.fromCharCode(...new TextEncoder().encode(text)));
    const { found } = redacted([`{"content":{"encoding":"base64","text":"${bytes(body(GITHUB_TOKEN))}"}}`]);
    expect(found).toEqual([{ kind: 'github-token', path: '$.content.text > $.result' }]);
    const clean = `{"content":{"encoding":"base64","text":"${bytes(body(''))}"}}`;
    expect(redactOne(clean).text).toBe(clean);
  });

  it.each([
    ['{"command":["node","s.js","--api-key","hunter2","-v"]}', '$.command[3]'],
    ['{"server_command":"\'node\' s.js --api-key hunter2  -v"}', '$.server_command'],
  ])('redacts the value after a command option that names a secret: %s', (text, path) => {
    expect(redactOne(text)).toEqual({ text: text.replace('hunter2', '#api-key'), paths: [path] });
  });

  it('redacts the secrets that an HTTP archive lists by name, in headers, cookies, queries and forms', () => {
    const entry = (cookie: string, token: string, secret: string, key: string): string =>
      `{"log":{"entries":[{"request":{"headers":[{"name":"Cookie","value":"sid=${cookie}"},{"name":"X-Api-Key","value":"${key}"}],` +
      `"cookies":[{"name":"sid","value":"${cookie}"}],"queryString":[{"name":"access_token","value":"${token}"},` +
      `{"name":"page","value":"2"}],"postData":{"params":[{"name":"client_secret","value":"${secret}"}]}}}]}}`;
    const planted = entry('c00kie', `${letters(20)}/+`, letters(24), 'k3y');
    const { text, paths } = redactOne(planted);
    expect(text).toBe(entry('#cookie', '#access-token', '#client-secret', '#x-api-key'));
    expect(paths).toContain('$.log.entries[0].request.cookies[0].value');
    const once = new CaptureText({ mode: 'secrets', salt: 'salt' }).redact(planted);
    expect(redacted([once]).found).toEqual([]);
    expect(redactOne(planted, { mode: 'off' }).text).toBe(planted);
  });

  it('redacts a line that is not valid JSON as plain text', () => {
    expect(redactOne(`{"torn":"${GITHUB_TOKEN}`).text).toBe('{"torn":"#github-token');
  });

  it('takes time proportional to the size of a capture, whatever numbers it contains', async () => {
    const redact = (count: number): (() => void) => {
      const numbers = Array.from({ length: count }, (_, n) => `-${864 + n}.5`).join();
      const text = `{"numbers":[${numbers}],"raw":{"jsonrpc":"2.0","method":"x"}}`;
      return () => expect(redactOne(text).text === text).toBe(true);
    };
    await expectLinearGrowth({ small: redact(10_000), large: redact(200_000), times: 20 });
  });

  it('keeps any text that contains nothing to redact', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        for (const deps of [text, `{"raw":${text},"jsonrpc_id":"1"}`, `[{"jsonrpc":${text}}]`]) {
          expect(redactOne(deps, { mode: 'off', keys: ['no such key'] }).text).toBe(deps);
        }
      }),
    );
  });
});

describe("a user's pattern", () => {
  const line = (raw: string): string =>
    `{"t":"2026-05-12T23:00:00.100Z","dir":"in","seq":4242,"id":"m-4242","raw":${raw}}`;
  const session = (payload: string): string =>
    `{"id":"a1","started_at":"2026-05-12T23:00:00+00:00","transport":"stdio","messages":[{"sequence":4242,"timestamp":"2026-05-12T23:00:00+00:00","direction":"server_to_client","payload":${payload}}]}`;

  it.each([
    ['a date', String.raw`\d{4}-\d\d-\d\d`, '"on 2026-05-12"', '"on #pattern"'],
    ['a word', 'server|in|stdio', '"a server"', '"a #pattern"'],
    ['a number', '4242', '4242', '"#pattern"'],
    ['digits', String.raw`\d+`, '[0,17]', '[0,"#pattern"]'],
    ['a number in JSON in a string', '4242', '"{\\"pin\\":4242}"', '"{\\"pin\\":\\"#pattern\\"}"'],
    ['several members of JSON in a string', 'a":1,"b', '"{\\"a\\":1,\\"b\\":2}"', '"{\\"#pattern\\":2}"'],
    ['a name in JSON in a string, beside a value', 'x+', '"{\\"xx\\":\\"x\\"}"', '"{\\"#pattern\\":\\"#pattern\\"}"'],
    ['members beside a number in JSON in a string', '1,"b|2', '"[[1,\\"b\\"],2]"', '"[[#pattern\\"],\\"#pattern\\"]"'],
  ])('finds %s in messages and keeps the fields of the recording around them', async (_, source, before, after) => {
    const patterns = await compileValuePatterns([source]);
    const message = (x: string): string => `{"jsonrpc":"2.0","id":4242,"result":{"value":${x}}}`;
    for (const frame of [line, session]) {
      const { text } = redactOne(frame(message(before)), { mode: 'off', patterns });
      expect(text).toBe(frame(message(after)));
    }
  });
});
