import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FINDING_KINDS, type FindingCode } from '../../src/analysis/findings/finding.ts';
import { GROUP_OF } from '../../src/cli/commands/check/check-groups.ts';
import { SEVERITY_WORDS } from '../../src/present/glyphs.ts';
import { CommandPlace } from '../support/command-place.ts';
import { jsonLines } from '../support/recordings.ts';
import { GITHUB_TOKEN } from '../support/sample-secrets.ts';

const ID = '550e8400-e29b-41d4-a716-446655440000';
const META = `{"v":1,"type":"meta","startedAt":"2026-05-12T23:00:00.000Z","label":"search","command":["node"],"id":"${ID}","transport":"stdio","metadata":{},"kind":"mcp"}`;
const END = '{"t":"2026-05-12T23:00:30.000Z","type":"end","exitCode":0,"durationMs":30000}';
const schema = { type: 'object', properties: { limit: { type: 'integer' } } };

const sent = (id: string, dir: 'in' | 'out', raw: object, corr?: string): object => ({
  dir,
  id,
  corr,
  raw: { jsonrpc: '2.0', ...raw },
});
const stray = (text: string): object => ({
  type: 'event',
  dir: 'event',
  kind: 'stdio.noise',
  raw: { dir: 'out', text },
});

/** A trace of these lines, one millisecond apart. */
function trace(lines: readonly object[]): string {
  const timed = lines.map((line, seq) =>
    JSON.stringify({ t: new Date(Date.UTC(2026, 4, 12, 23, 0, 0, seq)), seq, ...line }),
  );
  return [META, ...timed, END, ''].join('\n');
}

const HANDSHAKE = [
  sent('a', 'in', { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } }),
  stray('Search server ready'),
  sent('b', 'out', { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } } }, 'a'),
  sent('c', 'in', { method: 'notifications/initialized' }),
];
const FAULTY = trace([
  ...HANDSHAKE,
  sent('d', 'in', { id: 1, method: 'tools/list' }),
  sent('e', 'out', { id: 1, result: { tools: [{ name: 'search', inputSchema: schema }] } }, 'd'),
  sent('f', 'in', { id: 2, method: 'tools/call', params: { name: 'search', arguments: { limit: 'ten' } } }),
]);
const CLEAN = trace(HANDSHAKE.filter((line) => 'id' in line));

async function inspect(text: string, ...flags: string[]): Promise<string> {
  const place = new CommandPlace();
  place.write('trace.jsonl', text);
  const { code, stdout, stderr } = await place.run(['inspect', '--findings', ...flags, 'trace.jsonl']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const docs = readFileSync(new URL('../../docs/findings.md', import.meta.url), 'utf8');
const blocks = [...docs.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, , code = '']) => code);

describe('inspect --findings', () => {
  it('prints one line per finding, as docs/findings.md shows', async () => {
    expect(blocks).toContain(await inspect(FAULTY));
  });

  it('prints JSON for scripts', async () => {
    expect(jsonLines(await inspect(FAULTY, '--json'))).toEqual([
      {
        code: 'stray-output',
        severity: 'error',
        message:
          'The server printed a line to stdout that is not JSON-RPC: "Search server ready". Log to stderr instead.',
        messages: [],
        event: { kind: 'stdio.noise', timestamp: '2026-05-12T23:00:00.001+00:00', after: 0, exchange: null },
        spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio',
      },
      {
        code: 'arguments-invalid',
        severity: 'error',
        message:
          'The client sent arguments to search that do not match its inputSchema: limit must be an integer, got a string.',
        messages: [5],
        event: null,
        spec: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool',
      },
      {
        code: 'hung-call',
        severity: 'error',
        message: 'The server never responded to tools/call search. Check its log.',
        messages: [5],
        event: null,
        spec: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#timeouts',
      },
      {
        summary: { session: ID, label: 'search', format: 'trace', errors: 3, warnings: 0, infos: 0, problems: 0 },
      },
    ]);
  });

  it('prints a link to the specification with -v', async () => {
    expect(await inspect(FAULTY, '-v')).toContain('\n                        https://modelcontextprotocol.io/');
  });

  it('reports a session without findings', async () => {
    expect(await inspect(CLEAN)).toBe(`Session: ${ID}\nServer: search\n\nNo findings\n`);
  });

  it('shows only the findings of matching entries, but analyzes the whole session', async () => {
    const findings = jsonLines(await inspect(FAULTY, '--json', '--filter', 'tool:search')).slice(0, -1);
    expect(findings.map(({ code }) => code)).toEqual(['arguments-invalid', 'hung-call']);
    const strays = jsonLines(await inspect(FAULTY, '--json', '--filter', 'kind:stray')).slice(0, -1);
    expect(strays.map(({ code }) => code)).toEqual(['stray-output']);
  });

  it('prints at most twenty findings per code and the number of others, and all of them with -v', async () => {
    const noisy = trace([...HANDSHAKE, ...Array.from({ length: 30 }, (_, n) => stray(`line ${n}`))]);
    const short = await inspect(noisy);
    expect(short.match(/\(stray-output\)/g)).toHaveLength(20);
    expect(short).toContain('  … and 11 more stray-output\n\n31 errors\n');
    expect((await inspect(noisy, '-v')).match(/\(stray-output\)/g)).toHaveLength(31);
  });

  it('names a secret by its kind and path, and never prints it', async () => {
    const params = { name: 'x', arguments: { note: GITHUB_TOKEN } };
    const call = sent('d', 'in', { id: 1, method: 'tools/call', params });
    // The line is longer than a finding quotes, and the secret is where the quote is cut.
    const text = trace([
      ...HANDSHAKE,
      call,
      stray(`token: ${GITHUB_TOKEN}`),
      stray(`${'x '.repeat(70)}${GITHUB_TOKEN}`),
    ]);
    for (const flags of [[], ['--json'], ['-v']]) {
      const printed = await inspect(text, ...flags);
      expect(printed).toContain('The recording has a secret (github-token) at $.params.arguments.note.');
      expect(printed).not.toContain(GITHUB_TOKEN.slice(0, 10));
    }
  });

  it('escapes control characters in the traffic', async () => {
    const printed = await inspect(trace([...HANDSHAKE, stray('\u001b[2J\u202e\nnext')]));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not appear.
    expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(printed.split('\n').filter((line) => line.includes('next'))).toHaveLength(1);
  });
});

describe('docs/findings.md', () => {
  it('lists the severity, meaning and specification link of every code, in order', () => {
    const sections = docs.split(/^### /m).slice(1);
    expect(sections.map((section) => section.split('\n')[0])).toEqual(Object.keys(FINDING_KINDS));
    for (const [n, { severity, meaning, spec }] of Object.values(FINDING_KINDS).entries()) {
      expect(sections[n]).toContain(`**${SEVERITY_WORDS[severity]}.** ${meaning}`);
      expect(sections[n]).toMatch(/^> .+\.$/m);
      expect(sections[n]?.includes(`<${spec}>`)).toBe(spec !== undefined);
    }
  });

  it('has a table row for every code, with its group, what triggers it and what does not', () => {
    const rows = [...docs.matchAll(/^\| \[`([\w-]+)`\]\(#([\w-]+)\) \| `?(\w+)`? \| ([^|]{5,}) \| ([^|]{5,}) \|$/gm)];
    expect(rows.map(([, code]) => code)).toEqual(Object.keys(FINDING_KINDS));
    for (const [, code = '', link, group] of rows) {
      expect(link).toBe(code);
      expect(group).toBe(GROUP_OF[code as FindingCode] ?? 'none');
    }
  });

  it('shows JSON as it is printed', async () => {
    const shown = jsonLines(blocks.find((block) => block.startsWith('{')) ?? '');
    expect(jsonLines(await inspect(FAULTY, '--json'))).toEqual(expect.arrayContaining(shown));
  });

  it('contains only command lines that work', async () => {
    const place = new CommandPlace();
    place.write('session.json', FAULTY);
    const lines = (blocks[0] ?? '').trim().split('\n');
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(await place.run(line.split(' ').slice(1))).toMatchObject({ code: 0, stderr: '' });
  });
});
