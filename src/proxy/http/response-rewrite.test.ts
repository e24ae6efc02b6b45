import { describe, expect, it } from 'vitest';
import type { RequestHead, ResponseHead } from './exchange-tap.ts';
import { type ResponseRewriterOptions, responseRewriter } from './response-rewrite.ts';

const TARGET = new URL('https://mcp.example/mcp');
const METADATA = '/.well-known/oauth-protected-resource/mcp';
const JSON_TYPE = ['Content-Type', 'application/json; charset=utf-8'];
const STREAM_TYPE = ['Content-Type', 'text/event-stream'];

function rewriter(options: Partial<ResponseRewriterOptions> = {}): ReturnType<typeof responseRewriter> {
  return responseRewriter({ target: TARGET, hasEndpoints: false, keepsOauth: false, ...options });
}

function requested(path = '/mcp', method = 'GET'): RequestHead {
  return { method, path, headers: ['Accept', '*/*', 'Host', 'localhost:4000'] };
}

function answered(headers: readonly string[], status = 200): ResponseHead {
  return { status, headers };
}

describe('metadata', () => {
  const body = '{"resource":"https://mcp.example/mcp"}';

  /** The metadata that a client receives for these chunks. */
  function read(...pieces: string[]): string {
    const passed = rewriter().rewriteOf(requested(METADATA), answered(JSON_TYPE));
    const parts = pieces.map((piece) => passed.body?.push(Buffer.from(piece)) ?? '');
    return Buffer.concat([...parts, passed.body?.end() ?? ''].map((part) => Buffer.from(part as string))).toString();
  }

  it('rewrites metadata to our address, for any chunks', () => {
    const expected = '{"resource":"http://localhost:4000/mcp"}';
    expect(read(body)).toBe(expected);
    expect(read(...body)).toBe(expected);
  });

  it('removes Content-Length, because the length changes', () => {
    const headers = ['X-A', 'b', 'content-length', '38', ...JSON_TYPE];
    expect(rewriter().rewriteOf(requested(METADATA), answered(headers)).headers).toEqual(['X-A', 'b', ...JSON_TYPE]);
  });

  it('forwards metadata of more than 1 MB unchanged', () => {
    const large = `${body.slice(0, -1)},"x":"${'x'.repeat(1 << 20)}"}`;
    expect(read(large.slice(0, 100), large.slice(100), 'more')).toBe(`${large}more`);
  });

  it('requests metadata without compression, unless rewriting is off', () => {
    expect(rewriter().wantsPlain(METADATA)).toBe(true);
    expect(rewriter().wantsPlain('/mcp')).toBe(false);
    expect(rewriter({ keepsOauth: true }).wantsPlain(METADATA)).toBe(false);
  });

  it.each([
    ['elsewhere', '/mcp', JSON_TYPE, 200],
    ['that failed', METADATA, JSON_TYPE, 404],
    ['in another format', METADATA, ['Content-Type', 'text/html'], 200],
    ['that is encoded', METADATA, [...JSON_TYPE, 'Content-Encoding', 'gzip'], 200],
  ])('does not rewrite metadata %s', (_, path, headers, status) => {
    expect(rewriter().rewriteOf(requested(path), answered(headers, status))).toEqual({ headers });
  });
});

describe('challenges', () => {
  const headers = [
    'WWW-Authenticate',
    'Basic realm="x"',
    'X-Copy',
    'Bearer resource_metadata="https://mcp.example/m"',
    'www-authenticate',
    'Bearer resource_metadata="https://mcp.example/m"',
  ];

  it('rewrites challenges to our address, and leaves other headers unchanged', () => {
    expect(rewriter().rewriteOf(requested(), answered(headers, 401)).headers).toEqual(
      headers.with(5, 'Bearer resource_metadata="http://localhost:4000/m"'),
    );
  });

  it('leaves challenges unchanged if rewriting is off', () => {
    expect(rewriter({ keepsOauth: true }).rewriteOf(requested(), answered(headers, 401))).toEqual({ headers });
  });
});

describe('an event stream', () => {
  it.each([
    ['of the older transport', true, 'GET', STREAM_TYPE, true],
    ['of the newer one', false, 'GET', STREAM_TYPE, false],
    ['that answers a message', true, 'POST', STREAM_TYPE, false],
    ['that is encoded', true, 'GET', [...STREAM_TYPE, 'Content-Encoding', 'gzip'], false],
    ['that is said to be plain', true, 'GET', [...STREAM_TYPE, 'Content-Encoding', 'Identity'], true],
    ['in capitals', true, 'GET', ['CONTENT-TYPE', 'Text/Event-Stream; charset=utf-8'], true],
    ['that is none', true, 'GET', JSON_TYPE, false],
  ])('looks for an endpoint address in an event stream %s: %s', (_, hasEndpoints, method, headers, isRewritten) => {
    const passed = rewriter({ hasEndpoints }).rewriteOf(requested('/sse', method), answered(headers));
    expect(passed.body !== undefined).toBe(isRewritten);
    expect(passed.headers).toEqual(headers);
  });
});

describe('a redirect', () => {
  const passed = (location: string, status = 307): ReturnType<ReturnType<typeof rewriter>['rewriteOf']> =>
    rewriter().rewriteOf(requested('/a/mcp?x=1', 'POST'), answered(['X-A', 'location', 'Location', location], status));

  it.each([
    ['https://mcp.example/b?y=2#z', 'http://localhost:4000/b?y=2#z'],
    ['HTTPS://MCP.example:443/b', 'http://localhost:4000/b'],
    ['//mcp.example/b', 'http://localhost:4000/b'],
    ['https://mcp.example', 'http://localhost:4000'],
    ['https://user@mcp.example/b', 'http://localhost:4000/b'],
    ['https:\\\\mcp.example\\b', 'http://localhost:4000/b'],
  ])('rewrites a redirect to the target so that it leads to mcpreel: %s', (location, own) => {
    expect(passed(location)).toEqual({ headers: ['X-A', 'location', 'Location', own] });
  });

  it.each(['/b', 'b', '?y', '', './b'])('keeps a relative redirect unchanged: %j', (location) => {
    expect(passed(location)).toEqual({ headers: ['X-A', 'location', 'Location', location] });
  });

  it.each([
    ['https://elsewhere.example/b', 'https://elsewhere.example'],
    ['http://mcp.example/b', 'http://mcp.example'],
    ['https://mcp.example@elsewhere.example/b', 'https://elsewhere.example'],
    ['https://mcp.example:444/b', 'https://mcp.example:444'],
    ['\\\\elsewhere.example/b', 'https://elsewhere.example'],
  ])('keeps and reports a redirect to another host: %s', (location, redirectsTo) => {
    expect(passed(location)).toEqual({ headers: ['X-A', 'location', 'Location', location], redirectsTo });
  });

  it('ignores a Location header if the status is not a redirect', () => {
    for (const status of [200, 201, 304, 404]) {
      expect(passed('https://mcp.example/b', status)).toEqual({
        headers: ['X-A', 'location', 'Location', 'https://mcp.example/b'],
      });
    }
  });
});
