import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';

const LINES = [
  { t: 0, dir: 'in', raw: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow' } } },
  {
    t: 1,
    dir: 'in',
    raw: {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'fast', key: 'ghp_0123456789abcdefghijABCDEFGHIJ012345' },
    },
  },
  { t: 2, dir: 'out', raw: { jsonrpc: '2.0', id: 2, result: { content: [] } } },
  { t: 3, dir: 'out', raw: { jsonrpc: '2.0', id: 1, result: { content: [], isError: true } } },
].map(({ t, ...line }) => JSON.stringify({ t: new Date(t * 1000).toISOString(), ...line }));

const REFUSED = [
  {
    t: 0,
    dir: 'in',
    http: { exchange: 0 },
    raw: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } },
  },
  {
    t: 1,
    type: 'event',
    dir: 'event',
    kind: 'http.exchange',
    raw: { exchange: 0, method: 'POST', path: '/', status: 403 },
  },
].map(({ t, ...line }) => JSON.stringify({ t: new Date(t * 1000).toISOString(), ...line }));

/** Exports a trace of these lines. */
async function exported(lines: readonly string[], ...args: readonly string[]): Promise<string> {
  const place = new CommandPlace();
  place.write('t.jsonl', ['{"v":1,"type":"meta"}', ...lines, ''].join('\n'));
  const { code, stdout, stderr } = await place.run(['export', 't.jsonl', ...args]);
  expect({ code, stderr: /Error/.test(stderr) }).toEqual({ code: 0, stderr: false });
  return stdout;
}

describe('export --filter to a table of calls', () => {
  it.each(['dir:> tool:fast', 'dir:< tool:fast', 'tool:fast'])('tells each call as it went: %s', async (filter) => {
    const csv = await exported(LINES, '-f', 'csv', '--filter', filter);
    expect(csv.trim().split('\r\n')).toHaveLength(2);
    expect(csv).toMatch(/,tools\/call,fast,2,ok,1000,/);
    expect(await exported(LINES, '-f', 'markdown', '--filter', filter)).toMatch(
      /<code>fast<\/code> \| ok \| 1\.00 s \|/,
    );
    const otlp = await exported(LINES, '-f', 'otlp', '--filter', filter);
    expect(otlp.match(/"spanId"/g)).toHaveLength(1);
    expect(otlp).toContain('"status":{"code":0}');
    for (const text of [csv, otlp]) expect(text).not.toContain('slow');
  });

  it('redacts the calls, and reports how many were exported', async () => {
    const markdown = await exported(LINES, '-f', 'markdown', '--filter', 'tool:fast');
    expect(markdown).toContain('[REDACTED:github-token:');
    expect(markdown).not.toContain('ghp_');
    expect(await exported(LINES, '-f', 'csv', '--filter', 'dir:>', '-o', 'x.csv')).toBe('Exported 2 calls to x.csv\n');
  });
});

describe('a span', () => {
  it('has the HTTP status as the error of a call that the server refused', async () => {
    const otlp = await exported(REFUSED, '-f', 'otlp');
    expect(otlp).toContain('{"key":"error.type","value":{"stringValue":"403"}}');
    expect(otlp).toContain('"status":{"code":2,"message":"HTTP 403"}');
    expect(otlp).not.toContain('tool_error');
  });
});
