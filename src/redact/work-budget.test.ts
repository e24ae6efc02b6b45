import { describe, expect, it } from 'vitest';
import { createRedactor } from './redactor.ts';

function redact(text: string): string {
  const entry = createRedactor({ mode: 'secrets', salt: 'salt' }).entry({
    kind: 'message',
    sequence: 0,
    proxyId: 'm',
    atMs: 0,
    direction: 'server_to_client',
    text,
  });
  return entry.kind === 'message' ? entry.text : '';
}

function numbered(count: number, make: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => make(n)).join('');
}

describe('a message that looks like secrets everywhere', () => {
  it.each([
    ['members with secrets', 12_000, (n: number) => `{"password":"hunter${n}x"},`],
    ['members that may be secrets', 65_000, (n: number) => `{"a${n}Token":"some words ${n}"},`],
    ['headers', 12_000, (n: number) => `{"headers":{"X-${n}-Token":"hunter${n}x"}},`],
    ['options', 12_000, (n: number) => `["--token-${n}","hunter${n}x"],`],
  ])('keeps its frame and loses what it cannot judge: %s', (_, count, make) => {
    const items = `${numbered(count, make)}{"password":"last-hunter-7"}`;
    const message = `{"jsonrpc":"2.0","id":7,"result":{"structuredContent":{"items":[${items}],"more":["hunter7x"]},"nextCursor":"page2"}}`;
    const redacted = redact(message);
    const { id, result } = JSON.parse(redacted) as { id: number; result: { nextCursor: string } };
    expect(id).toBe(7);
    expect(result.nextCursor).toBe('page2');
    expect(redacted).toContain('[REDACTED:many-secrets:');
    expect(redacted).not.toContain('last-hunter-7');
  });

  it.each([
    ['assignments', 110_000, (n: number) => `a${n}_token = "some words ${n}"\n`],
    ['short values', 155_000, (n: number) => `X-${n}-Token: abc\n`],
    ['tables', 40_000, (n: number) => `| a | password |\n|---|---|\n| ${n} | word |\n`],
    ['calls', 40_000, (n: number) => `const token${n} = getToken(${n}, a); if (password === b${n}) {}\n`],
  ])('loses the rest of a string that it cannot judge: %s', (_, count, make) => {
    const text = `${numbered(count, make)}password: last-hunter-7\n`;
    const redacted = redact(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text } }));
    expect(redacted).toMatch(/\[REDACTED:many-secrets:[0-9a-f]{8}\]"\}\}$/);
    expect(redacted).not.toContain('last-hunter-7');
  });

  it('judges each place in megabytes of source code', () => {
    const code = numbered(20_000, (n) => `const token${n} = this.nextToken(kinds[${n}]); // a word about parsers\n`);
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: `${code}password: last-hunter-7\n` } });
    expect(redact(message).replace(/\[REDACTED:password:[0-9a-f]{8}\]/, 'last-hunter-7')).toBe(message);
  });
});
