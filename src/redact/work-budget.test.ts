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
    ['assignments', 50_000, (n: number) => `a${n}_password=x${n}y${n}z\n`],
    ['headers', 50_000, (n: number) => `X-${n}-Token: a${n}b${n}c${n}d\n`],
    ['credentials without line ends', 50_000, (n: number) => `Bearer abc${n}def12 `],
    ['addresses', 50_000, (n: number) => `https://u:p${n}word@host${n} `],
    ['statements', 40_000, (n: number) => `INSERT INTO t (id, password) VALUES (${n}, 'a${n}b${n}c');\n`],
    ['tables', 40_000, (n: number) => `| a | password |\n|---|---|\n| ${n} | a${n}b${n}c |\n`],
  ])('removes what is around %s that it cannot judge, and judges what follows', (_, count, make) => {
    const harmless = 'const max = 12; // a line of code\n'.repeat(20_000);
    const end = JSON.stringify(harmless.slice(1 << 17)).slice(1, -1);
    const text = `${numbered(count, make)}password: last-hunter-7\n${harmless}password: hunter-8x\n`;
    const redacted = redact(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text } }));
    expect(redacted).toContain('[REDACTED:many-secrets:');
    for (let n = 0; n < count; n += 17) expect(redacted.includes(make(n).trim())).toBe(false);
    expect(redacted).not.toContain('last-hunter-7');
    expect(redacted).toContain(end);
    expect(redacted).toMatch(/npassword: \[REDACTED:password:[0-9a-f]{8}\]\\n"/);
  });

  it('goes on with text that repeats itself after it has removed a part of it', () => {
    const redacted = redact(
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'https://u:pass7@'.repeat(500_000) } }),
    );
    expect(redacted).not.toContain('u:pass7@https');
  });

  it('judges each place in megabytes of source code', () => {
    const code = numbered(20_000, (n) => `const token${n} = this.nextToken(kinds[${n}]); // a word about parsers\n`);
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: `${code}password: last-hunter-7\n` } });
    expect(redact(message).replace(/\[REDACTED:password:[0-9a-f]{8}\]/, 'last-hunter-7')).toBe(message);
  });
});
