import { describe, expect, it } from 'vitest';
import type { CaptureFlagValues } from './capture-flags.ts';
import { httpTargetFrom, listenFrom, refuseFlags, transportFrom } from './connection-options.ts';

const URL_FLAG = { 'target-url': 'https://mcp.example/mcp' };

function target(values: CaptureFlagValues): ReturnType<typeof httpTargetFrom> {
  return httpTargetFrom({ ...URL_FLAG, ...values }, [], 'streamable-http');
}

function listen(values: CaptureFlagValues): ReturnType<typeof listenFrom> {
  return listenFrom(values, 'streamable-http', false);
}

describe('transportFrom', () => {
  it.each<[CaptureFlagValues, readonly string[], string]>([
    [{}, ['node'], 'stdio'],
    [{ 'target-command': 'node' }, [], 'stdio'],
    [URL_FLAG, [], 'streamable-http'],
    [{ ...URL_FLAG, transport: 'sse' }, [], 'sse'],
  ])('uses the given transport, or derives it from the target: %o %o', (values, words, expected) => {
    expect(transportFrom(values, words)).toBe(expected);
  });

  it.each<[CaptureFlagValues, readonly string[], string]>([
    [URL_FLAG, ['node'], 'The server is given twice: as a URL and as a command'],
    [{ ...URL_FLAG, 'target-command': 'node' }, [], 'The server is given twice: as a URL and as a command'],
    [{ ...URL_FLAG, transport: 'stdio' }, [], '--transport stdio does not work with --target-url'],
    [{ transport: 'http' }, [], 'Unknown --transport: http'],
  ])('rejects conflicting or unknown transport options: %o %o', (values, words, message) => {
    expect(() => transportFrom(values, words)).toThrow(expect.objectContaining({ code: 'usage', message }));
  });
});

describe('listenFrom', () => {
  it('listens on 127.0.0.1:8080 by default', () => {
    expect(listen({})).toEqual({ transport: 'streamable-http', host: '127.0.0.1', port: 8080, token: undefined });
    expect(listen({ 'listen-port': '0', 'listen-host': 'LOCALHOST', token: 't' })).toMatchObject({
      host: '127.0.0.1',
      port: 0,
      token: 't',
    });
    expect(listen({ 'listen-host': '::1' })).toMatchObject({ host: '::1' });
  });

  it('listens on all interfaces with --allow-remote and a token', () => {
    expect(listen({ 'listen-host': '0.0.0.0', 'allow-remote': true, token: 't' })).toMatchObject({ host: '0.0.0.0' });
  });

  it('defaults to HTTP for a command if stdin is a terminal', () => {
    expect(listenFrom({}, 'stdio', true)).toMatchObject({ transport: 'streamable-http' });
    expect(listenFrom({}, 'stdio', false)).toEqual({ transport: 'stdio' });
  });

  it.each<[CaptureFlagValues, string]>([
    [{ 'listen-host': '0.0.0.0' }, '--listen-host 0.0.0.0 is open to other machines'],
    [{ 'listen-host': 'localhost.example', token: 't' }, '--listen-host localhost.example is open to other machines'],
    [{ 'listen-host': '::', 'allow-remote': true }, '--allow-remote needs --token'],
    [{ 'listen-host': '::', 'allow-remote': true, token: '' }, '--token is empty'],
    [{ token: '' }, '--token is empty'],
    [{ 'allow-remote': true, token: 't' }, '--allow-remote has no effect on 127.0.0.1'],
    [{ 'listen-port': '65536' }, '--listen-port 65536 is not a port'],
    [{ 'listen-port': 'http' }, '--listen-port http is not a port'],
    [{ 'listen-transport': 'ws' }, 'Unknown --listen-transport: ws'],
    [{ 'listen-transport': 'stdio', 'listen-port': '1' }, '--listen-port needs clients that connect over HTTP'],
  ])('rejects invalid listen options: %o', (values, message) => {
    expect(() => listen(values)).toThrow(expect.objectContaining({ code: 'usage', message }));
  });
});

describe('httpTargetFrom', () => {
  it('returns the target URL, with every other option off by default', () => {
    expect(target({})).toEqual({
      transport: 'streamable-http',
      url: new URL('https://mcp.example/mcp'),
      headers: [],
      ca: undefined,
      insecure: false,
      keepsHost: false,
      keepsOauth: false,
    });
    expect(target({ insecure: true, 'keep-host': true, 'no-oauth-rewrite': true })).toMatchObject({
      insecure: true,
      keepsHost: true,
      keepsOauth: true,
    });
  });

  it('parses headers as given', () => {
    const header = ['Authorization: Bearer a:b', 'X-None:', 'x-odd:\t caf\xe9 ~ '];
    expect(target({ header }).headers).toEqual([
      ['Authorization', 'Bearer a:b'],
      ['X-None', ''],
      ['x-odd', 'caf\xe9 ~'],
    ]);
  });

  it.each<[CaptureFlagValues, string]>([
    [{ 'target-url': 'mcp.example' }, '--target-url mcp.example is not an HTTP URL'],
    [{ 'target-url': 'ws://mcp.example' }, '--target-url ws://mcp.example is not an HTTP URL'],
    [{ 'target-url': 'https://me:secret@mcp.example' }, '--target-url contains a password'],
    [{ header: 'secret' }, '--header secret is not a header'],
    [{ header: 'A b: secret' }, '--header A is not a header'],
    [{ header: 'sk-live-1234' }, '--header … is not a header'],
    [{ header: 'X: a\r\nY: b' }, '--header X is not a header'],
    [{ header: 'X: ✓' }, '--header X is not a header'],
    [{ header: 'content-length: 5' }, '--header content-length would break requests'],
    [{ header: 'Connection: close' }, '--header Connection would break requests'],
    [{ ca: 'a.pem', insecure: true }, '--ca and --insecure cannot be used together'],
    [{ 'target-url': 'http://mcp.example', insecure: true }, '--insecure has no effect on http://mcp.example'],
    [{ 'target-url': 'http://mcp.example', ca: 'a.pem' }, '--ca has no effect on http://mcp.example'],
  ])('rejects invalid target options: %o', (values, message) => {
    expect(() => target(values)).toThrow(expect.objectContaining({ code: 'usage', message }));
  });

  it('rejects a missing target', () => {
    expect(() => httpTargetFrom({}, [], 'sse')).toThrow('No server given');
    expect(() => httpTargetFrom({}, ['node'], 'sse')).toThrow('--transport sse does not work with a command');
  });

  it('rejects an unreadable CA file', () => {
    expect(() => target({ ca: 'missing.pem' })).toThrow(expect.objectContaining({ code: 'file-unreadable' }));
  });
});

it('rejects a flag that would have no effect', () => {
  expect(() => refuseFlags({ env: ['A=b'] }, ['env'], 'needs a program', 'Leave it out.')).toThrow(
    '--env needs a program',
  );
  expect(() => refuseFlags({ insecure: false }, ['insecure', 'env'], 'x', 'y')).not.toThrow();
});
