import { describe, expect, it } from 'vitest';
import { event, message } from '../../test/contract/factories.ts';
import { base64, GITHUB_TOKEN, hex, JWT, letters } from '../../test/support/sample-secrets.ts';
import type { EventEntry, MessageEntry } from '../model/entry.ts';
import { placeholderMaker } from './placeholder.ts';
import { createRedactor, type RedactOptions } from './redactor.ts';

const placeholder = placeholderMaker('salt');
const hidden = placeholder('github-token', GITHUB_TOKEN);

function redactorWith(options: Partial<RedactOptions> = {}) {
  return createRedactor({ mode: 'secrets', salt: 'salt', ...options });
}

function rawAfter(parts: Partial<EventEntry>, options: Partial<RedactOptions> = {}): unknown {
  return JSON.parse((redactorWith(options).entry(event(parts)) as EventEntry).raw);
}

describe('redaction of HTTP exchanges', () => {
  it('redacts the values of headers whose names mark them as secret', () => {
    const raw = {
      path: `/mcp?token=${hex(32)}`,
      requestHeaders: [
        ['Accept', 'text/plain'],
        ['authorization', 'Bearer x'],
        ['Proxy-Authorization', `Basic ${base64('a:b')}`],
        ['Cookie', 'a=1; b=2'],
        ['X-Api-Key', 'k'],
        ['Mcp-Session-Id', JWT.slice(0, 20)],
      ],
      responseHeaders: [['Set-Cookie', 'sid=1; Path=/; HttpOnly']],
    };
    expect(rawAfter({ event: 'http.exchange', raw: JSON.stringify(raw) })).toEqual({
      path: `/mcp?token=${placeholder('token', hex(32))}`,
      requestHeaders: [
        ['Accept', 'text/plain'],
        ['authorization', `Bearer ${placeholder('bearer-token', 'x')}`],
        ['Proxy-Authorization', `Basic ${placeholder('basic-credentials', base64('a:b'))}`],
        ['Cookie', `a=${placeholder('cookie', '1')}; b=${placeholder('cookie', '2')}`],
        ['X-Api-Key', placeholder('x-api-key', 'k')],
        ['Mcp-Session-Id', JWT.slice(0, 20)],
      ],
      responseHeaders: [['Set-Cookie', `sid=${placeholder('cookie', '1')}; Path=/; HttpOnly`]],
    });
  });

  it.each([
    [`{"headers":{"Authorization":"Bearer x","a":"b"}}`, 'Bearer x'],
    [`{"headers":{"set-cookie":["a=secret1","b=secret2"]}}`, 'secret2'],
    [`{"headers":[{"value":"secret1","name":"X-Api-Key"}]}`, 'secret1'],
    [`{"rawHeaders":["Host","x","Cookie","a=secret1"]}`, 'secret1'],
  ])('redacts secret headers in other notations: %s', (text, secret) => {
    const entry = redactorWith().entry(message({ keepsakes: { transcript: text } })) as MessageEntry;
    expect(entry.keepsakes?.transcript).not.toContain(secret);
    expect(entry.keepsakes?.transcript).toContain('[REDACTED:');
  });

  it('keeps session ids, protocol headers, event ids and the authorization challenge', () => {
    const raw = JSON.stringify({
      path: '/message?sessionId=4f2d5f4c-7b8a-4e1c-9d3a-0123456789ab',
      requestHeaders: [
        ['Mcp-Session-Id', JWT],
        ['MCP-Protocol-Version', '2026-07-28'],
        ['Mcp-Method', 'tools/call'],
        ['Mcp-Name', 'get_api_key'],
        ['Mcp-Param-Api-Key', 'name-of-a-key'],
        ['Last-Event-ID', GITHUB_TOKEN],
      ],
      responseHeaders: [
        ['mcp-session-id', JWT],
        ['WWW-Authenticate', 'Bearer error="invalid_token", resource_metadata="https://example.com/x", scope="a b"'],
      ],
    });
    for (const mode of ['secrets', 'strict'] as const) {
      const entry = event({ event: 'http.exchange', raw: raw.replace('Mcp-Param-Api-Key', 'Mcp-Param-Key') });
      expect(redactorWith({ mode }).entry(entry)).toBe(entry);
    }
    expect(rawAfter({ event: 'http.exchange', raw })).toEqual(JSON.parse(raw));
  });

  it('redacts an exact value that the user passed, even in a session id header', () => {
    const raw = '{"requestHeaders":[["Mcp-Session-Id","given-value"]]}';
    const entry = redactorWith({ exactValues: ['given-value'] }).entry(event({ event: 'http.exchange', raw }));
    expect((entry as EventEntry).raw).not.toContain('"given-value"');
  });

  it('redacts Mcp-Param headers by the same rules as arguments, encoded or not', () => {
    const encoded = base64(`\u00fc ${GITHUB_TOKEN}`);
    const raw = {
      requestHeaders: [
        ['Mcp-Param-A', GITHUB_TOKEN],
        ['Mcp-Param-B', `=?base64?${encoded}?=`],
        ['Mcp-Param-C', 'x'],
      ],
    };
    expect(rawAfter({ event: 'http.exchange', raw: JSON.stringify(raw) })).toEqual({
      requestHeaders: [
        ['Mcp-Param-A', hidden],
        ['Mcp-Param-B', `=?base64?${placeholder('encoded-secret', encoded)}?=`],
        ['Mcp-Param-C', 'x'],
      ],
    });
  });

  it('redacts headers that the user names as keys', () => {
    const raw =
      '{"requestHeaders":[["X-Tenant","a"],["Mcp-Session-Id","b"],["Accept","x-tenant"]],"rawHeaders":["X_TENANT",1]}';
    const entry = event({ event: 'http.exchange', raw });
    for (const mode of ['off', 'secrets', 'strict'] as const) {
      const after = redactorWith({ mode, keys: ['x-tenant', 'mcp-session-id'] }).entry(entry) as EventEntry;
      expect(JSON.parse(after.raw)).toEqual({
        requestHeaders: [
          ['X-Tenant', placeholder('x-tenant', 'a')],
          ['Mcp-Session-Id', placeholder('mcp-session-id', 'b')],
          ['Accept', 'x-tenant'],
        ],
        rawHeaders: ['X_TENANT', placeholder('x-tenant', '1')],
      });
    }
  });

  it('does not treat a list of column names as headers', () => {
    const entry = message({ text: '{"result":{"headers":["password","email","api_key","x"]}}' });
    expect(redactorWith().entry(entry)).toBe(entry);
  });
});

describe('redaction of stdio lines', () => {
  const lines = ['key:', '-----BEGIN RSA PRIVATE KEY-----', letters(64), 'Proc-Type: 4', `${hex(10)}==`];
  const end = '-----END RSA PRIVATE KEY-----';
  const textsAfter = (texts: readonly string[]): string[] => {
    const redactor = redactorWith();
    return texts.map((text) => {
      // Messages on the server's other stream make no difference.
      redactor.entry(message());
      redactor.entry(event({ event: 'stdio.noise', raw: '{"dir":"out","text":"hello"}' }));
      const entry = redactor.entry(event({ raw: JSON.stringify({ text }) })) as EventEntry;
      return (JSON.parse(entry.raw) as { text: string }).text;
    });
  };

  it('redacts every line of a private key that spans several lines', () => {
    const after = textsAfter([...lines, `${end} done`, 'ready']);
    const [first, ...others] = after;
    expect(first).toBe('key:');
    expect(others.slice(0, 4).every((text) => /^\[REDACTED:private-key:[0-9a-f]{8}\]$/.test(text))).toBe(true);
    expect(after.slice(-2)).toEqual([`${placeholder('private-key', end)} done`, 'ready']);
  });

  it('redacts a whole line that is not UTF-8 if its bytes contain a secret', () => {
    const bytes = base64(`\u00ff ${GITHUB_TOKEN}`);
    const parts = (content: string) => ({ event: 'stdio.noise', raw: JSON.stringify({ dir: 'out', base64: content }) });
    expect(rawAfter(parts(bytes))).toEqual({ dir: 'out', base64: placeholder('github-token', bytes) });
    expect(rawAfter(parts(base64('\u00ff harmless')))).toEqual({ dir: 'out', base64: base64('\u00ff harmless') });
  });

  it('stops redacting lines after a while if a private key has no end', () => {
    const logs = Array.from({ length: 10 }, (_, i) => `line ${i} of the log`);
    expect(textsAfter([lines[1] ?? '', ...logs]).slice(-7)).toEqual(logs.slice(-7));
  });
});

describe('redaction of a message within an event', () => {
  it('keeps the envelope of a message within an event', () => {
    const held = JSON.stringify({ jsonrpc: '2.0', id: JWT, method: 'x', params: { token: JWT } });
    const raw = rawAfter({ event: 'mcpreel.action', raw: JSON.stringify({ action: 'hold', text: held }) });
    const params = { token: placeholder('jwt', JWT) };
    expect(raw).toEqual({ action: 'hold', text: JSON.stringify({ jsonrpc: '2.0', id: JWT, method: 'x', params }) });
  });
});

describe('redaction of a held message', () => {
  it('redacts the params of a held message, and keeps its id and the fields of the event', () => {
    const text = {
      jsonrpc: '2.0',
      id: GITHUB_TOKEN,
      method: 'm',
      params: { password: 'hunter2', a: 1, secret: GITHUB_TOKEN },
    };
    const raw = JSON.stringify({ action: 'hold', of: 'id', text });
    expect(rawAfter({ event: 'mcpreel.action', raw }, { mode: 'strict', paths: ['$.params.a'] })).toMatchObject({
      action: 'hold',
      text: {
        id: GITHUB_TOKEN,
        params: { password: expect.stringContaining('[REDACTED'), a: expect.stringContaining('[REDACTED') },
      },
    });
  });
});
