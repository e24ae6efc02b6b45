import { describe, expect, it } from 'vitest';
import { PLACEHOLDERS } from '../../src/redact/placeholder.ts';
import { AGE_KEY_FILE, AGE_RECIPIENT } from '../support/age-sample.ts';
import { CommandPlace } from '../support/command-place.ts';

const CALL =
  '{"jsonrpc":"2.0","id":4711,"method":"tools/call","params":{"name":"x","arguments":{"day":"2026-11-18"},"_meta":{"progressToken":4711}}}';
const ANSWER =
  '{"jsonrpc":"2.0","id":4711,"result":{"n":4711,"text":"DB_PASSWORD=hunter2x9\\n2026-11-18 {\\"a\\":\\"{\\\\\\"pin\\\\\\":4711}\\"}"}}';
const ID = '90ce0df9-a532-4942-8cc6-00000000000';
const TRACE = [
  `{"v":1,"type":"meta","startedAt":"2026-11-18T21:01:04.725Z","label":"srv","command":["node","srv.mjs"],"id":"${ID}9","transport":"stdio","metadata":{},"kind":"mcp","source":"mcpreel@1.0.0","producer":{"name":"mcpreel","version":"1.0.0"},"cwd":"/tmp","redact":"off"}`,
  `{"t":"2026-11-18T21:01:04.742Z","dir":"in","seq":0,"id":"${ID}0","raw":${CALL}}`,
  `{"t":"2026-11-18T21:01:04.923Z","dir":"out","seq":1,"id":"${ID}1","corr":"${ID}0","raw":${ANSWER}}`,
  '{"t":"2026-11-18T21:01:04.945Z","type":"end","exitCode":0,"durationMs":220}',
  '',
].join('\n');

const PATTERNS = ['\\d{4}-\\d\\d-\\d\\d', 'server', '4711', '[a-z]+', '\\d+', 'stdio|mcp|in|out|off'];

/** Placeholders without their digits, which differ from run to run. */
function comparable(text: string): string {
  return text.replaceAll(PLACEHOLDERS, (placeholder) => placeholder.replace(/:[0-9a-f]{8}\]$/, ']'));
}

describe('redact and export', () => {
  it.each(PATTERNS)(
    'redact and export write the same trace for the pattern %s, and keep what a recording needs',
    async (pattern) => {
      const place = new CommandPlace();
      place.write('t.jsonl', TRACE);
      await place.run(['redact', 't.jsonl', '--redact-value', pattern, '-o', 'redacted.jsonl']);
      await place.run(['export', 't.jsonl', '-f', 'trace', '--redact-value', pattern, '-o', 'exported.jsonl']);
      expect(comparable(place.read('redacted.jsonl'))).toBe(comparable(place.read('exported.jsonl')));
      const lines = place.read('redacted.jsonl').trimEnd().split('\n');
      expect(lines[0]).toMatch(
        /"startedAt":"2026-11-18T21:01:04.725Z".*"transport":"stdio".*"kind":"mcp".*"redact":"off"}$/,
      );
      expect(lines[1]).toMatch(
        /^\{"t":"2026-11-18T21:01:04.742Z","dir":"in","seq":0,"id":"90ce0df9-.*"id":4711,"method":"tools\/call"/,
      );
      expect(lines[1]).toContain('"progressToken":4711');
      expect(lines[3]).toBe('{"t":"2026-11-18T21:01:04.945Z","type":"end","exitCode":0,"durationMs":220}');
      const { code, stdout } = await place.run(['stats', 'redacted.jsonl', '--json']);
      expect(code).toBe(0);
      expect(stdout).toMatch(/"calls":\s*1\b/);
    },
  );

  it.each(PATTERNS)('redact and export write the same session file for the pattern %s', async (pattern) => {
    const place = new CommandPlace();
    place.write('t.jsonl', TRACE);
    await place.run(['export', 't.jsonl', '-f', 'json', '--no-redact', '-o', 's.json']);
    await place.run(['redact', 's.json', '--redact-value', pattern, '-o', 'redacted.json']);
    await place.run(['export', 's.json', '-f', 'json', '--redact-value', pattern, '-o', 'exported.json']);
    expect(comparable(place.read('redacted.json'))).toBe(comparable(place.read('exported.json')));
  });
});

describe('redact of an encrypted file', () => {
  async function encrypted(): Promise<CommandPlace> {
    const place = new CommandPlace();
    place.write('t.jsonl', TRACE);
    place.write('key.txt', AGE_KEY_FILE);
    await place.run(['export', 't.jsonl', '-f', 'trace', '--no-redact', '--encrypt-to', AGE_RECIPIENT, '-o', 't.age']);
    return place;
  }

  it('reports that its result is not encrypted', async () => {
    const place = await encrypted();
    const { code, stderr } = await place.run(['redact', 't.age', '--identity', 'key.txt', '-o', 'clean.jsonl']);
    expect(code).toBe(0);
    expect(stderr).toContain('The result is not encrypted, unlike');
    expect(place.read('clean.jsonl')).not.toContain('hunter2x9');
  });

  it('encrypts its result with --encrypt-to', async () => {
    const place = await encrypted();
    const to = ['--encrypt-to', AGE_RECIPIENT, '-o', 'clean.age'];
    const { code, stderr } = await place.run(['redact', 't.age', '--identity', 'key.txt', ...to]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Redacted 1 secret: 1 db-password\n' });
    expect(place.read('clean.age')).toMatch(/^age-encryption\.org\/v1\n/);
    expect((await place.run(['redact', '--check', 'clean.age', '--identity', 'key.txt'])).code).toBe(0);
  });

  it('refuses --encrypt-to beside --check', async () => {
    const place = await encrypted();
    const { code } = await place.run(['redact', '--check', 't.age', '--encrypt-to', AGE_RECIPIENT]);
    expect(code).toBe(2);
  });
});
