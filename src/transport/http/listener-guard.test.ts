import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GuardOptions, type GuardVerdict, judgeRequest } from './listener-guard.ts';

interface Requested {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly rawHeaders?: readonly string[];
}

function judge(requested: Requested, options: Partial<GuardOptions> = {}): GuardVerdict {
  const { method = 'GET', url = '/mcp', headers = { host: 'localhost' }, rawHeaders = [] } = requested;
  return judgeRequest({ method, url, headers, rawHeaders } as unknown as IncomingMessage, {
    host: '127.0.0.1',
    ...options,
  });
}

/** Paths that look like those for signing in, and that a server may read as others. */
const NO_SIGNING_IN = [
  '/.well-known/oauth-protected-resource/..%2f..%2fmcp',
  '/.well-known/oauth-protected-resource/../../mcp',
  '/.well-known/oauth-protected-resource/other',
  '/.well-known/oauth-protected-resource/mcp/x',
  '/.well-known/oauth-protected-resource%2fmcp',
  '/.well-known/../mcp',
  '/.well-known/anything',
  '/.well-known/',
  '/callback/..%2fmcp',
  '/callback/..%5cmcp',
  '/callback/..;/mcp',
  '/callback/../mcp',
  '/callback;x',
  '/callback\\..\\mcp',
  '/callback/x',
  '/callback/',
  '/call%62ack',
  '/%',
  '/api/delete-all/callback',
  '/mcp/authorize',
  '/authorize/../mcp',
  '//evil/callback',
  '//callback',
  '/./callback',
  'http://localhost/callback',
  'callback',
];

describe('a listener on the loopback address', () => {
  it.each(['localhost', 'LocalHost:1', '127.0.0.1', '127.255.0.1:80', '[::1]', '[::1]:8080', 'localhost:'])(
    'accepts the host %s',
    (host) => {
      expect(judge({ headers: { host } })).toEqual({ path: '/mcp' });
    },
  );

  it.each([
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '0.0.0.0',
    '[::]',
    'localhost:1:2',
    'a@localhost',
  ])('refuses the host %s', (host) => {
    expect(judge({ headers: { host } })).toEqual({ refusal: `refused Host "${host}". Connect to http://127.0.0.1` });
  });

  it('shows a hostile or long host in printable ASCII and shortened', () => {
    const { refusal } = judge({ headers: { host: `\u001b[31m"${'x'.repeat(200)}` } }) as { refusal: string };
    expect(refusal).toMatch(/^refused Host "\?\[31m\?x{74}…"\. Connect to /);
  });

  it('refuses a request without a Host header', () => {
    expect(judge({ headers: {} })).toEqual({ refusal: 'refused Host "". Connect to http://127.0.0.1' });
  });

  it.each(['http://localhost', 'https://localhost:5173', 'http://127.0.0.1:1', 'http://[::1]'])(
    'accepts the origin %s',
    (origin) => {
      expect(judge({ headers: { host: 'localhost', origin } })).toEqual({ path: '/mcp' });
    },
  );

  it.each(['null', '', 'http://evil.example', 'http://localhost@evil.example', 'localhost', 'chrome-extension://abc'])(
    'refuses the origin %s',
    (origin) => {
      const refusal = `refused Origin "${origin}". Web pages of other machines cannot connect`;
      expect(judge({ headers: { host: 'localhost', origin } })).toEqual({ refusal });
    },
  );

  it('refuses a second Host header or an absolute URL that names another host', () => {
    const refusal = expect.stringMatching(/^refused Host "[a-z.@]*evil\.example"/);
    expect(judge({ rawHeaders: ['Host', 'localhost', 'HOST', 'evil.example'] })).toEqual({ refusal });
    expect(judge({ url: 'http://evil.example/mcp' })).toEqual({ refusal });
    expect(judge({ url: 'http://localhost@evil.example/mcp' })).toEqual({ refusal });
    expect(judge({ url: 'http://localhost:1/mcp' })).toEqual({ path: 'http://localhost:1/mcp' });
  });

  it.each([
    ['an image', 'cross-site', 'no-cors', 'image'],
    ['a script of another port', 'same-site', 'no-cors', 'script'],
    ['a frame', 'cross-site', 'navigate', 'iframe'],
  ])('refuses %s requested from another site', (_, site, mode, dest) => {
    const headers = { host: 'localhost', 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest };
    expect(judge({ headers })).toEqual({ refusal: 'the request comes from another site' });
    // A page on this machine sends its Origin header.
    expect(judge({ headers: { ...headers, origin: 'http://localhost:5173' } })).toEqual({ path: '/mcp' });
  });

  it('accepts followed links only to paths for signing in, and requests that no page initiated', () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const headers = { host: 'localhost', ...link };
    for (const url of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server/mcp?a=..',
      '/.well-known/openid-configuration',
      '/oauth/callback?code=1',
      '/authorize',
    ]) {
      expect(judge({ headers, url }, { targetPath: '/mcp' })).toEqual({ path: url });
    }
    const refusal = 'the link comes from another site';
    for (const url of [
      '/mcp',
      '/',
      '/mcp?next=/callback',
      '/sse',
      '/callbacks',
      '/mcp/.well-known/x',
      '/x#/callback',
      ...NO_SIGNING_IN,
    ]) {
      expect([url, judge({ headers, url }, { targetPath: '/mcp' })]).toEqual([url, { refusal }]);
    }
    expect(judge({ headers, url: '/callback' }, { targetPath: '/callback' })).toEqual({ refusal });
    for (const targetPath of ['/..%2fmcp', '/a;b', '//a', '/%2e%2e/a']) {
      const url = `/.well-known/oauth-protected-resource${targetPath}`;
      expect(judge({ headers, url }, { targetPath })).toEqual({ refusal });
    }
    expect(judge({ headers, url: '/callback', method: 'POST' })).toEqual({ refusal });
    expect(judge({ headers: { host: 'localhost', 'sec-fetch-site': 'none' } })).toEqual({ path: '/mcp' });
  });

  it('leaves a token in the URL that is not its own unchanged', () => {
    expect(judge({ url: '/a?token=x&b' })).toEqual({ path: '/a?token=x&b' });
  });
});

describe('a listener with a token', () => {
  const token = 'a b&c';
  const remote = { host: '0.0.0.0', token };
  const headers = { host: 'anything.example', origin: 'https://anything.example' };

  it('accepts the token in a header or in the URL', () => {
    expect(judge({ headers: { ...headers, 'mcpreel-token': token } }, remote)).toEqual({ path: '/mcp' });
    expect(judge({ headers, url: '/mcp?token=a%20b%26c' }, remote)).toEqual({ path: '/mcp' });
  });

  it.each([
    '/mcp',
    '/mcp?token',
    '/mcp?token=',
    '/mcp?token=a',
    '/mcp?xtoken=a%20b%26c',
    '/mcp?token=%',
    '/token=a%20b%26c',
  ])('refuses a missing or wrong token in %s', (url) => {
    expect(judge({ headers, url }, remote)).toEqual({ refusal: 'the token is missing or wrong' });
  });

  it('checks the host of a loopback request that has the right token', () => {
    expect(judge({ headers: { ...headers, 'mcpreel-token': token } }, { token })).toEqual({
      refusal: expect.stringMatching(/^refused Host /),
    });
  });

  it('removes its token and leaves the rest of any URL unchanged', () => {
    const part = fc.stringMatching(/^[\w%=.;/?:@!$'()*+,-]{0,12}$/).filter((text) => !text.startsWith('token='));
    const parts = fc.array(part, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(parts, fc.nat(5), (rest, at) => {
        const withToken = rest.toSpliced(at, 0, 'token=a%20b%26c');
        expect(judge({ headers, url: `/p?${withToken.join('&')}` }, remote)).toEqual({ path: `/p?${rest.join('&')}` });
      }),
    );
  });
});
