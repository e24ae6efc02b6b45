import { describe, expect, it } from 'vitest';
import { event, footer, header, message, other } from '../../test/contract/factories.ts';
import { base64, GITHUB_TOKEN, hex, letters, PEM_LINES } from '../../test/support/sample-secrets.ts';
import type { MessageEntry } from '../model/entry.ts';
import { readEnvelope, scanEnvelope } from '../protocol/envelope.ts';
import { compileValuePatterns } from './detect/value-pattern.ts';
import { placeholderMaker } from './placeholder.ts';
import { createRedactor, type RedactOptions, type Removal } from './redactor.ts';

const placeholder = placeholderMaker('salt');
const hidden = placeholder('github-token', GITHUB_TOKEN);

function redactorWith(options: Partial<RedactOptions> = {}) {
  return createRedactor({ mode: 'secrets', salt: 'salt', ...options });
}

/** The redacted params of a message. */
function paramsAfter(params: string, options: Partial<RedactOptions> = {}): string {
  const before = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`;
  const entry = redactorWith(options).entry(message({ text: `${before}${params}}` })) as MessageEntry;
  expect(entry.text.startsWith(before)).toBe(true);
  return entry.text.slice(before.length, -1);
}

describe('redaction of a label', () => {
  const command = ['npx', 'gate', '--api-key', 'hunter2-Horse-77', 'https://a.example/mcp'];

  it('is derived from the redacted command, so that it is the same in each recording', () => {
    const labels = ['a', 'b'].map(
      (salt) => redactorWith({ salt }).header(header({ command: ['npx', GITHUB_TOKEN], label: GITHUB_TOKEN })).label,
    );
    expect(labels).toEqual(['npx', 'npx']);
  });

  it('replaces a label that is a secret of the command, and keeps one that the user gave', () => {
    const labelAfter = (label: string): string => redactorWith().header(header({ command, label })).label;
    expect(labelAfter('hunter2-Horse-77')).toBe('gate');
    expect(labelAfter('X-Api-Key: letmein-77')).toMatch(/^X-Api-Key: \[REDACTED:x-api-key:\w+\]$/);
    expect(labelAfter('production')).toBe('production');
  });
});

describe('redaction of a message', () => {
  it('returns a message without secrets as the same object', () => {
    const entry = message({ original: '{}', sse: '{"id":"1"}', keepsakes: { trace: '{"a":1}' } });
    expect(redactorWith({ mode: 'strict', keys: ['x'], paths: ['$.params.x'] }).entry(entry)).toBe(entry);
  });

  it('keeps every character outside the secret: whitespace, numbers, key order, escapes', () => {
    const params = (secret: string) => `{ "n" : 1.0e2, "z":"\\u00e9\\/ ${secret}\\n", "z":12345678901234567890 }`;
    expect(paramsAfter(params(GITHUB_TOKEN))).toBe(params(hidden));
  });

  it('redacts every text of a message: as received, as sent, batch, HTTP, SSE and unknown fields', () => {
    const text = `{"a":"${GITHUB_TOKEN}"}`;
    const expected = `{"a":"${hidden}"}`;
    const entry = message({
      text,
      original: text,
      sentText: `not JSON ${GITHUB_TOKEN}`,
      batch: text,
      http: text,
      sse: text,
      keepsakes: { session: text, trace: text, transcript: text },
    });
    expect(redactorWith().entry(entry)).toEqual({
      ...entry,
      text: expected,
      original: expected,
      sentText: `not JSON ${hidden}`,
      batch: expected,
      http: expected,
      sse: expected,
      keepsakes: { session: expected, trace: expected, transcript: expected },
    });
  });

  it('updates the envelope and the position of the body after a redaction', () => {
    const text = `{"x":"${GITHUB_TOKEN}","method":"m","params":{"a":1}}`;
    const { envelope, body } = scanEnvelope(text, 0);
    const after = redactorWith().entry(message({ text, envelope, body })) as MessageEntry;
    expect(after.text.slice(after.body?.start, after.body?.end)).toBe('{"a":1}');
    expect(after.envelope).toEqual(readEnvelope(after.text));
  });
});

describe('a secret spelled with escapes', () => {
  it.each([
    `gh\\u0070_${letters(36)}`,
    `\\u0067hp_${letters(36)}`,
    `ghp\\u005f${letters(36)}`,
    `ghp_\\u0061${letters(36).slice(1)}`,
  ])('finds a secret that is spelled with escapes: %s', (spelling) => {
    expect(paramsAfter(`["\\t${spelling} \\u00e9"]`)).toBe(`["\\t${hidden} \\u00e9"]`);
  });

  it.each(['Bea\\u0072er', 'B\\u0065arer', '\\u0042earer'])('finds a token after the escaped %s', (word) => {
    const secret = letters(20);
    expect(paramsAfter(`["${word} ${secret}"]`)).toBe(`["${word} ${placeholder('bearer-token', secret)}"]`);
  });

  it('finds a password in a URL whose slashes are escaped', () => {
    const after = placeholder('url-password', 'hunter2');
    expect(paramsAfter('["db:\\/\\/me:hunter2@host\\/x"]')).toBe(`["db:\\/\\/me:${after}@host\\/x"]`);
  });

  it('finds a private key whose line breaks are escaped', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${letters(64)}\n-----END PRIVATE KEY-----\n`;
    const after = JSON.parse(paramsAfter(JSON.stringify({ key }))) as { key: string };
    expect(after.key).toBe(`${placeholder('private-key', key.trimEnd())}\n`);
  });
});

describe('JSON within a string', () => {
  const nested = (value: unknown, levels: number): string =>
    levels === 0 ? JSON.stringify(value) : JSON.stringify(nested(value, levels - 1));

  it.each([1, 2, 3, 4])('redacts JSON that is nested %i strings deep', (levels) => {
    const options: Partial<RedactOptions> = { keys: ['pin'] };
    const before = { pin: 1234, requestId: GITHUB_TOKEN, note: `é ${GITHUB_TOKEN}` };
    const after = { pin: placeholder('pin', '1234'), requestId: hidden, note: `é ${hidden}` };
    expect(paramsAfter(`[${nested(before, levels)}]`, options)).toBe(`[${nested(after, levels)}]`);
  });

  it('keeps the spelling of JSON within a string outside the redacted value', () => {
    const text = (secret: string) => `["{\\u0022a\\u0022 :\\t\\"${secret}\\", \\"b\\":1.0}"]`;
    expect(paramsAfter(text(GITHUB_TOKEN))).toBe(text(hidden));
  });
});

describe('protected fields', () => {
  const everything: Partial<RedactOptions> = {
    mode: 'strict',
    keys: ['id', 'method', 'progressToken', 'requestId', 'cursor', 'nextCursor', 'password'],
    paths: ['$.id', '$..progressToken', '$..cursor'],
    exactValues: [GITHUB_TOKEN],
  };

  it.each([
    `{"jsonrpc":"${GITHUB_TOKEN}","id":"${GITHUB_TOKEN}","method":"${GITHUB_TOKEN}"}`,
    `{"id":1,"params":{"_meta":{"progressToken":"${GITHUB_TOKEN}"}}}`,
    `{"id":1,"params":{"requestId":"${GITHUB_TOKEN}"}}`,
    `{"id":1,"params":{"cursor":"${GITHUB_TOKEN}"}}`,
    `{"id":1,"result":{"nextCursor":"${GITHUB_TOKEN}"}}`,
  ])('keeps the fields that link messages: %s', (text) => {
    const entry = message({ text });
    expect(redactorWith(everything).entry(entry)).toBe(entry);
  });

  it.each(['inputSchema', 'outputSchema', 'requestedSchema'])('keeps the schema of a value: %s', (key) => {
    const schema = `{"properties":{"password":{"type":"string","default":"Bearer ${letters(20)}"}}}`;
    const entry = message({ text: `{"id":1,"result":{"tools":[{"${key}":${schema}}]}}` });
    const options: Partial<RedactOptions> = { ...everything, exactValues: [], paths: [] };
    expect(redactorWith(options).entry(entry)).toBe(entry);
  });

  it('redacts a secret in tool arguments that have the name of a protected field', () => {
    expect(paramsAfter(`{"arguments":{"id":"${GITHUB_TOKEN}","cursor":"${GITHUB_TOKEN}"}}`)).toBe(
      `{"arguments":{"id":"${hidden}","cursor":"${hidden}"}}`,
    );
  });

  it.each(['inputSchema', 'outputSchema'])('redacts a token below tool arguments and results named %s', (name) => {
    const value = (token: string): string => `{"${name}":{"properties":{"a":{"default":"${token}"}}}}`;
    expect(paramsAfter(`{"arguments":${value(GITHUB_TOKEN)}}`)).toBe(`{"arguments":${value(hidden)}}`);
    const result = (token: string): string => `{"id":1,"result":{"structuredContent":${value(token)}}}`;
    expect(redactorWith({}).entry(message({ text: result(GITHUB_TOKEN) }))).toMatchObject({ text: result(hidden) });
  });
});

describe('redaction by member name', () => {
  const secret = letters(20);

  it.each([
    'password',
    'API_KEY',
    'apiKey',
    'x-api-key',
    'client_secret',
    'accessToken',
    'github_token',
    'refreshToken',
  ])('redacts a plausible value by its name: %s', (key) => {
    expect(paramsAfter(`{"${key}":"${secret}"}`)).toMatch(/^\{"[^"]+":"\[REDACTED:[a-z-]+:[0-9a-f]{8}\]"\}$/);
    expect(paramsAfter(`{"a":{"${key}":["${secret}"]}}`)).not.toContain(secret);
  });

  it.each(['password', 'api_key', 'token'])('redacts any literal value by its name in strict mode: %s', (key) => {
    expect(paramsAfter(`{"${key}":"swordfish"}`, { mode: 'strict' })).toContain('[REDACTED:');
  });

  it.each([
    `[{"name":"DB_PASSWORD","value":"${secret}"}]`,
    `[{"value":"${secret}","name":"DB_PASSWORD"}]`,
    `[{"value":"${secret}","secure":true,"key":"apiKey"}]`,
    `[{"header":"X-Api-Key","value":"${secret}"}]`,
    `{"kind":"Secret","data":{"app":"${secret}"}}`,
    `{"data":{"app":"${secret}"},"kind":"Secret"}`,
    '{"password":12345678}',
    `{"pem":${JSON.stringify(PEM_LINES)}}`,
  ])('redacts secrets by their name in pairs, lists and manifests: %s', (params) => {
    const after = paramsAfter(params);
    expect(after).toContain('[REDACTED:');
    for (const part of [secret, '12345678', letters(64)]) expect(after).not.toContain(part);
  });

  it('redacts a member name that is itself a secret', () => {
    expect(paramsAfter(`{"${GITHUB_TOKEN}":1}`)).toBe(`{"${hidden}":1}`);
  });

  it.each([
    '{"password":true}',
    '{"token":12}',
    '{"secret":{"a":"b"}}',
    '{"password":""}',
    '{"nextPageToken":"abc"}',
    '{"maxTokens":1000,"token":"<your token>"}',
    '{"password":{"type":"string","default":"changeme"}}',
    `{"key":"${hex(40)}","sessionId":"${hex(32)}"}`,
  ])('keeps values that are not secrets despite their name: %s', (params) => {
    expect(paramsAfter(params)).toBe(params);
  });

  it.each(['"x"', '12.50', 'null', '{"a":[1]}', '[]'])('redacts any value under a given key: %s', (value) => {
    const exact = value.startsWith('"') ? (JSON.parse(value) as string) : value;
    const after = placeholder('customer-no', exact);
    expect(paramsAfter(`{"customerNo": ${value} }`, { mode: 'off', keys: ['Customer_No'] })).toBe(
      `{"customerNo": "${after}" }`,
    );
  });
});

describe('redaction by path', () => {
  it.each([
    ['$.params.a.b', '{"a":{"b":1,"c":2}}', '{"a":{"b":"#1","c":2}}'],
    [`$.params['a'][0]`, '{"a":[1,2]}', '{"a":["#1",2]}'],
    ['$.params.a[*].b', '{"a":[{"b":1},{"b":2}]}', '{"a":[{"b":"#1"},{"b":"#2"}]}'],
    ['$..b', '{"b":{"b":1},"a":[{"b":2}]}', '{"b":"#{"b":1}","a":[{"b":"#2"}]}'],
    ['$.params.inputSchema.x', '{"inputSchema":{"x":1}}', '{"inputSchema":{"x":"#1"}}'],
    ['$.params.z', '{"a":1}', '{"a":1}'],
  ])('redacts the values at the path %s', (path, before, after) => {
    const expected = after.replaceAll(/"#(\d|\{.*?\})"/g, (_, value: string) => `"${placeholder('path', value)}"`);
    expect(paramsAfter(before, { mode: 'off', paths: [path] })).toBe(expected);
  });
});

describe('redaction of exact values', () => {
  const given = (value: string): string => placeholder('given-value', value);

  it.each([
    ['ACME-\\d+', '{"inputSchema":{"default":"ACME-77","enum":["x ACME-7"],"examples":[1]}}', 'ACME'],
    ['alice@[a-z.]+', '{"arguments":{"balances":{"alice@corp.example":5}}}', 'alice'],
    ['al', '{"arguments":{"al":{"name":"al"}}}', '"al'],
    ['alice', '{"balances":{"alice":1},"inputSchema":{"properties":{"alice":{"default":"alice"}}}}', 'alice'],
    ['name', '{"arguments":{"name":1},"inputSchema":{"properties":{"name":{"type":"string"}}}}', '"name'],
  ])('removes what the pattern %s matches from schemas and names of members: %s', async (source, params, value) => {
    const patterns = await compileValuePatterns([source]);
    expect(paramsAfter(params, { mode: 'off', patterns })).not.toContain(value);
  });

  it.each(['[a-z]+', '.+', '\\w', 'string|object'])(
    'keeps the names and keywords of MCP and JSON Schema for %s',
    async (source) => {
      const patterns = await compileValuePatterns([source]);
      const params =
        '{"content":[{"type":1,"text":2}],"inputSchema":{"type":"object","properties":{},"items":{"type":["string","null"],"$ref":"#/a"}}}';
      const after = JSON.parse(paramsAfter(params, { mode: 'off', patterns })) as Record<string, unknown>;
      expect(Object.keys(after)).toEqual(['content', 'inputSchema']);
      expect(after.inputSchema).toEqual(JSON.parse(params).inputSchema);
      expect(after.content).toMatchObject([{ type: expect.anything(), text: expect.anything() }]);
    },
  );

  it.each([
    ['\\b\\d{4}', '1234567890', '§567890'],
    ['\\ba', 'aaaa', '§aaa'],
    ['a.*?;', 'ab;b;c;', '§b;c;'],
    ['a.*?c', 'axcyc', '§yc'],
    ['p.*?"', 'pass: \\"x\\", name: \\"Bob\\"', '§x\\", name: \\"Bob\\"'],
    ['\\b\\d{4}', '{\\"a\\":\\"1234567890\\"}', '{\\"a\\":\\"§567890\\"}'],
    ['t.*?;', '[REDACTED:token:00112233] a;b;', '[REDACTED:token:00112233] a;b;'],
    ['x.*;', 'x[REDACTED:token:00112233];y', '§[REDACTED:token:00112233]§y'],
  ])('removes what the pattern %s matches in %s, and no more, with any salt', async (source, text, expected) => {
    const patterns = await compileValuePatterns([source]);
    for (const salt of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const after = paramsAfter(`{"s":"${text}"}`, { mode: 'off', patterns, salt });
      expect(after.replaceAll(/\[REDACTED:pattern:\w+\]/g, '§')).toBe(`{"s":"${expected}"}`);
    }
  });

  it.each(['\\d{4}-\\d\\d-\\d\\d', '\\d+', '.+', '[a-z]+'])(
    'keeps revisions, codes of errors and headers that tell how to read a message for %s',
    async (source) => {
      const redactor = redactorWith({ mode: 'off', patterns: await compileValuePatterns([source]) });
      const headers =
        '[["MCP-Protocol-Version","2025-06-18"],["Mcp-Method","tools/call"],["Content-Type","application/json; charset=utf-8"]]';
      const texts = [
        '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","supportedVersions":["2026-07-28"]}}',
        '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":""}}',
        '{"jsonrpc":"2.0","method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
      ];
      for (const text of texts) expect(redactor.entry(message({ text }))).toMatchObject({ text });
      const raw = `{"requestHeaders":${headers}}`;
      expect(redactor.entry(event({ event: 'http.exchange', raw }))).toMatchObject({ raw });
    },
  );

  it('finds dates and numbers that only look like revisions and codes', async () => {
    const patterns = await compileValuePatterns(['\\d{4}-\\d\\d-\\d\\d', '\\d+']);
    const params = '{"arguments":{"protocolVersion":"2025-06-18","error":{"code":42}},"supported":[{"code":43}]}';
    expect(paramsAfter(params, { mode: 'off', patterns })).not.toMatch(/2025|42|43/);
  });

  it('redacts an exact value wherever it occurs, also in schemas', () => {
    const options = { exactValues: ['tr0ub4dor', 'Bearer s3same-open'] };
    expect(paramsAfter('{"a":"xtr0ub4dory","inputSchema":{"d":"tr0ub4dor"}}', options)).toBe(
      `{"a":"x${given('tr0ub4dor')}y","inputSchema":{"d":"${given('tr0ub4dor')}"}}`,
    );
    expect(paramsAfter('{"a":"s3same-open"}', options)).toBe(`{"a":"${given('s3same-open')}"}`);
  });

  it.each(['a"b\\c/d', 'schlüssel-ß', '«»«»«»', 'line\nbreak', 'plain-value'])(
    'finds an exact value in any spelling: %j',
    (value) => {
      const escaped = [...value].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
      const after = `["${given(value)}"]`;
      expect(paramsAfter(JSON.stringify([value]), { exactValues: [value] })).toBe(after);
      expect(paramsAfter(`["${escaped}"]`, { exactValues: [value] })).toBe(after);
      expect(paramsAfter(JSON.stringify([encodeURIComponent(value)]), { exactValues: [value] })).toMatch(
        /^\["\[REDACTED/,
      );
    },
  );

  it.each(['Bearer', 'DPoP', 'Digest', 'apikey '])('finds an exact value without its scheme: %s', (scheme) => {
    const options = { exactValues: [`${scheme} s3same-open`] };
    expect(paramsAfter('{"a":"s3same-open"}', options)).toBe(`{"a":"${given('s3same-open')}"}`);
  });

  it.each(['1', 'debug', 'production'])('ignores an exact value that is too common to be a secret: %s', (value) => {
    expect(paramsAfter(`["${value}"]`, { exactValues: [value] })).toBe(`["${value}"]`);
  });

  it.each(['', 'x', 'xy'])('finds an exact value in base64 after %j', (before) => {
    const value = 'correct-horse-7';
    const encoded = base64(`${before}${value} and more`);
    const after = paramsAfter(JSON.stringify([encoded]), { exactValues: [value] });
    expect(after).toContain('[REDACTED:given-value:');
    expect(atob(after.replaceAll(/\[REDACTED[^\]]*\]|[^A-Za-z0-9+/]/g, '').padEnd(64, 'A'))).not.toContain('horse');
  });

  it('keeps the kind of an exact value that is also a known token', () => {
    expect(paramsAfter(`["${GITHUB_TOKEN}"]`, { exactValues: [GITHUB_TOKEN] })).toBe(`["${hidden}"]`);
  });
});

describe('redaction of a session', () => {
  it('redacts the command, the URL and the metadata of a session', () => {
    const command = [
      'node',
      '--api-key',
      'k1',
      '--token=k2',
      '-e',
      'DB_PASSWORD=k3',
      'X-Api-Key: k4',
      GITHUB_TOKEN,
      'ok',
    ];
    const before = header({ command, url: 'https://u:pw@host/', metadata: `{"a":"${GITHUB_TOKEN}"}` });
    const after = redactorWith().header(before);
    expect(after.command).toEqual([
      'node',
      '--api-key',
      placeholder('api-key', 'k1'),
      `--token=${placeholder('token', 'k2')}`,
      '-e',
      `DB_PASSWORD=${placeholder('db-password', 'k3')}`,
      `X-Api-Key: ${placeholder('x-api-key', 'k4')}`,
      hidden,
      'ok',
    ]);
    expect(after.url).toBe(`https://u:${placeholder('url-password', 'pw')}@host/`);
    expect(after.metadata).toBe(`{"a":"${hidden}"}`);
    expect(redactorWith().header(after)).toBe(after);
  });

  it.each([
    { session: `{"server_command":"'node'  s.js --api-key hunter2"}` },
    { trace: '{"command":["node","s.js","--api-key","hunter2"]}' },
  ])('redacts the value of a command option in the unknown fields of a header: %j', (keepsakes) => {
    const after = redactorWith().header(header({ keepsakes }));
    expect(JSON.stringify(after.keepsakes)).toMatch(/--api-key.*\[REDACTED:api-key:/);
    expect(JSON.stringify(after.keepsakes)).not.toContain('hunter2');
  });

  it('returns a session without secrets as the same objects', () => {
    const redactor = redactorWith({ mode: 'strict' });
    const [before, after, record] = [header({ keepsakes: { trace: '{"a":1}' } }), footer(), other()];
    expect(redactor.header(before)).toBe(before);
    expect(redactor.footer(after)).toBe(after);
    expect(redactor.entry(record)).toBe(record);
  });

  it('reports the kind and place of each redacted value, and never the value', () => {
    const removals: Removal[] = [];
    const redactor = redactorWith({ keys: ['pin'], onRemoved: (removal) => removals.push(removal) });
    redactor.entry(message({ text: `{"params":{"a b":["","${GITHUB_TOKEN}"],"c":"{\\"pin\\":1}"}}` }));
    redactor.footer(footer({ reason: `said ${GITHUB_TOKEN}`, keepsakes: { trace: '{"pin":2}' } }));
    expect(removals).toEqual([
      { kind: 'github-token', part: 'text', path: "$.params['a b'][1]" },
      { kind: 'pin', part: 'text', path: '$.params.c > $.pin' },
      { kind: 'github-token', part: 'reason', path: '$' },
      { kind: 'pin', part: 'keepsakes.trace', path: '$.pin' },
    ]);
    expect([...redactor.removed]).toEqual([
      ['github-token', 2],
      ['pin', 2],
    ]);
  });

  it('keeps an entry unchanged if redaction is off', () => {
    const entry = message({ text: `{"a":"${GITHUB_TOKEN}","headers":{"cookie":"a=b"}}` });
    expect(redactorWith({ mode: 'off', exactValues: [GITHUB_TOKEN] }).entry(entry)).toBe(entry);
  });
});
