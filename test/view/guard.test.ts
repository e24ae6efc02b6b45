import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judge } from '../../src/server/page-guard.ts';
import { PageToken } from '../../src/server/page-token.ts';
import { Place } from '../support/place.ts';
import { seedExample } from '../support/session-texts.ts';
import { type Reply, type Requested, ServedView } from './served-view.ts';

async function startView(): Promise<ServedView> {
  const place = new Place();
  place.write('seed.json', seedExample);
  return ServedView.start(place, ['seed.json', '--live']);
}

const SAFE_HEADERS = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

function expectRefused(reply: Reply, status: number): void {
  expect(reply.status).toBe(status);
  expect(reply.text).toMatch(/^Refused: [^\n]+\.\n$/);
  expect(reply.headers).toMatchObject({ ...SAFE_HEADERS, 'content-type': 'text/plain; charset=UTF-8' });
  expect(reply.text).not.toContain('tools/call');
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe('the page server', () => {
  it('refuses requests that do not come from its own page with the token', async () => {
    const view = await startView();
    const own = `http://127.0.0.1:${view.port}`;
    const refused: [what: string, status: number, path: string, asked: Requested][] = [
      ['no token', 401, '/api/opened', { headers: { authorization: '' } }],
      ['a wrong token', 401, '/api/opened', { headers: { authorization: 'Bearer wrong' } }],
      ['a token in the query', 401, `/api/opened?token=${view.token}`, { headers: { authorization: '' } }],
      ['a token of another kind', 401, '/api/opened', { headers: { authorization: `Basic ${view.token}` } }],
      ['no token for a file', 401, '/api/files/0', { headers: { authorization: '' } }],
      ['no token for what runs', 401, '/api/live', { headers: { authorization: '' } }],
      ['no token to steer', 401, '/api/live/x/mode', { method: 'POST', headers: { ...JSON_TYPE, authorization: '' } }],
      ['no token to replay', 401, '/api/replay/run', { method: 'POST', headers: { ...JSON_TYPE, authorization: '' } }],
      ['another host', 403, '/api/opened', { headers: { host: 'example.com' } }],
      ['a name that leads here', 403, '/api/opened', { headers: { host: `evil.example:${view.port}` } }],
      ['a name that leads here, for the page itself', 403, '/', { headers: { host: `evil.example:${view.port}` } }],
      ['our name with another port', 403, '/api/opened', { headers: { host: '127.0.0.1:1' } }],
      ['another origin', 403, '/api/opened', { headers: { origin: 'https://example.com' } }],
      ['another page of this machine', 403, '/api/opened', { headers: { origin: 'http://127.0.0.1:1' } }],
      ['a page without an origin', 403, '/api/opened', { headers: { origin: 'null' } }],
      ['another site', 403, '/api/opened', { headers: { 'sec-fetch-site': 'cross-site' } }],
      ['another page of this site', 403, '/api/opened', { headers: { 'sec-fetch-site': 'same-site' } }],
      [
        'a link of another site to data',
        403,
        '/api/opened',
        { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' } },
      ],
      [
        'a script of another site',
        403,
        '/',
        { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' } },
      ],
      [
        'a frame of another site',
        403,
        '/',
        { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' } },
      ],
      ['another method', 405, '/api/opened', { method: 'DELETE' }],
      ['a question before the question', 405, '/api/opened', { method: 'OPTIONS', headers: { origin: own } }],
      ['a form for the page', 405, '/', { method: 'POST', body: 'x' }],
      ['a form', 415, '/api/live/x/mode', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' }],
      ['no type', 415, '/api/replay/run', { method: 'POST', body: '{}' }],
    ];
    for (const [what, status, path, requested] of refused) {
      const reply = await view.ask(path, requested);
      expect([what, reply.status]).toEqual([what, status]);
      expectRefused(reply, status);
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('accepts its own page, under both names of this machine', async () => {
    const view = await startView();
    for (const name of ['127.0.0.1', 'localhost']) {
      const host = `${name}:${view.port}`;
      const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
      const reply = await view.ask('/api/opened', { headers });
      expect(reply).toMatchObject({ status: 200, headers: SAFE_HEADERS });
      expect(JSON.parse(reply.text)).toEqual({
        live: true,
        files: [{ id: '0', name: 'seed.json', size: Buffer.byteLength(seedExample) }],
      });
      expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
      expect(reply.headers).not.toHaveProperty('set-cookie');
    }
    expect((await view.ask('/api/files/0')).text).toBe(seedExample);
  });

  it('accepts its own address without a port only where browsers omit it', () => {
    const verdict = (port: number, host: string, origin: string): number => {
      const headers: Record<string, string> = { host, origin, authorization: 'Bearer t' };
      const addressed = new URL(`http://${host}`).host;
      const request = { method: 'GET', path: '/api/opened', addressed, header: (name: string) => headers[name] };
      return judge(request, { port, token: new PageToken('t') })?.status ?? 200;
    };
    expect(verdict(80, '127.0.0.1', 'http://127.0.0.1')).toBe(200);
    expect(verdict(80, 'localhost', 'http://localhost')).toBe(200);
    expect(verdict(80, 'localhost:80', 'http://localhost')).toBe(200);
    expect(verdict(443, 'localhost:443', 'http://localhost:443')).toBe(200);
    expect(verdict(80, 'localhost', 'http://127.0.0.1')).toBe(403);
    expect(verdict(80, 'localhost', 'https://localhost')).toBe(403);
    expect(verdict(80, 'localhost', 'http://localhost:8080')).toBe(403);
    expect(verdict(80, 'example.com', 'http://example.com')).toBe(403);
    // Pages on HTTPS omit 443, and this one is not on HTTPS.
    expect(verdict(443, 'localhost', 'http://localhost')).toBe(403);
    expect(verdict(7000, 'localhost', 'http://localhost')).toBe(403);
  });

  it('accepts a link to the page from any site, because the page contains no data', async () => {
    const view = await startView();
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const reply = await view.ask('/', { headers: { ...headers, authorization: '' } });
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('<title>mcpreel</title>');
    expect(reply.text).not.toContain(view.token);
  });

  it('serves nothing but the page and the opened files', async () => {
    const view = await startView();
    const outside = [
      '/../package.json',
      '/..%2fpackage.json',
      '/%2e%2e/%2e%2e/package.json',
      '/assets/../../main.js',
      '/..%5cpackage.json',
      '//etc/passwd',
      '/etc/passwd',
      '/index.html%00.js',
      '/assets/',
      '/api/files/../../package.json',
      '/api/files/1',
      '/api/files/seed.json',
      '/api/files/%2fetc%2fpasswd',
      '/api/files/..%2f..%2fseed.json',
    ];
    for (const path of outside) {
      const reply = await view.ask(path);
      expect([path, reply.status]).toEqual([path, 404]);
      expect(reply.text).toMatch(/^[A-Z][^\n]+\n$/);
    }
  });

  it('sends the policy of the page, and forbids framing and requests to other hosts', async () => {
    const view = await startView();
    const html = readFileSync(new URL('../../web/index.html', import.meta.url), 'utf8');
    const [, own = ''] = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html) ?? [];
    const policyOf = (text: string): Record<string, string> =>
      Object.fromEntries(text.split(';').map((part) => /^\s*(\S+)\s+(.*?)\s*$/.exec(part)?.slice(1) ?? []));
    const { headers } = await view.ask('/');
    expect(headers).toMatchObject(SAFE_HEADERS);
    expect(policyOf(String(headers['content-security-policy']))).toEqual({
      ...policyOf(own),
      'connect-src': "'self'",
      'frame-ancestors': "'none'",
    });
    expect(String(headers['content-security-policy'])).not.toContain('unsafe');
  });

  it('refuses actions without a session or a JSON object', async () => {
    const view = await startView();
    const post = (path: string, body: string): Promise<Reply> =>
      view.ask(path, { method: 'POST', headers: JSON_TYPE, body });
    expect(await post('/api/live/nobody/mode', '{"mode":"intercept"}')).toMatchObject({
      status: 409,
      text: 'Session nobody is no longer running\n',
    });
    expect(await post('/api/replay/plan', 'x')).toMatchObject({
      status: 409,
      text: 'The request is not a JSON object\n',
    });
    expect(await post('/api/replay/plan', '{"of":"7","message":"x"}')).toMatchObject({ status: 409 });
    expect(await post('/api/opened', '{}')).toMatchObject({ status: 404 });
    // A page must not choose where files are written.
    expect(await post('/api/live/nobody/save', '{"path":"x"}')).toMatchObject({ status: 404 });
  });
});
