import { describe, expect, it } from 'vitest';
import { createRedactor } from '../redactor.ts';

const VALUE = 'Qz1v8Kx3LmW9rT2bN1';

function redactedText(value: unknown): string {
  const entry = createRedactor({ mode: 'secrets', salt: 'salt' }).entry({
    kind: 'other',
    type: undefined,
    atMs: 0,
    text: JSON.stringify(value),
  });
  return entry.kind === 'other' ? entry.text : '';
}

describe('cookies', () => {
  it.each([
    { headers: { 'set-cookie': `JSESSIONID=${VALUE}; Path=/; HttpOnly` } },
    { headers: [['Set-Cookie', `sid=${VALUE}; Max-Age=3600; Domain=example.com; SameSite=Lax; Secure; Partitioned`]] },
    { cookie: `sid=${VALUE}; Path=/; Priority=High` },
    `< Set-Cookie: session=${VALUE}; Path=/; HttpOnly\n`,
    `Response headers:\n{"set-cookie":"_gh_sess=${VALUE}; path=/"}`,
    `{"set-cookie":["a=${VALUE}; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=${VALUE}; Path=/"]} trailing`,
    `headers: {'Set-Cookie': '_myapp_session=${VALUE}; path=/'}`,
    `curl -H 'Cookie: sessionid=${VALUE}' https://example.com`,
    `req.headers.set("Cookie", "sid=${VALUE}")`,
    `2026-01-01 req ${JSON.stringify(JSON.stringify({ cookie: `connect.sid=${VALUE}` }))}`,
  ])('removes cookies, and nothing else of their header: %j', (value) => {
    const text = JSON.stringify(value);
    const redacted = redactedText(value);
    expect(redacted.replaceAll(/\[REDACTED:[a-z-]+:[0-9a-f]{8}\]/g, VALUE)).toBe(text);
    expect(redacted).not.toContain(VALUE);
    expect(redactedText(JSON.parse(redacted))).toBe(redacted);
  });

  it.each(['Set-Cookie: <name>=<value>; Domain=<domain>', 'The Cookie: header carries state.'])(
    'keeps cookies that a text only describes: %s',
    (text) => expect(redactedText(text)).toBe(JSON.stringify(text)),
  );
});
