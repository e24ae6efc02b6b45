import { describe, expect, it } from 'vitest';
import { commandLines } from '../support/command-lines.ts';
import { CommandPlace } from '../support/command-place.ts';
import { seedExample } from '../support/session-texts.ts';

const GIVEN: readonly (readonly string[])[] = [
  ['inspect', 'diary.txt', '--format', 'json'],
  ['inspect', 'diary.txt', '--format=trace'],
  ['check', 'diary.txt', '--format', 'jsonrpc'],
  ['stats', 'diary.txt', 'diary.txt', '--format', 'har'],
  ['import', 'diary.txt', '--format', 'inspector'],
  ['import', 'http-sse.json', '--format', 'streamable-http'],
  ['import', 'none.jsonl', '--format', 'trace'],
  ['inspect', 'seed.json', '--session-file', 'seed.json'],
  ['redact', 'seed.json', '--check', '-o', 'x'],
  ['import', 'a', 'b', '--episode-id', 'x'],
  ['import', 'a', 'b', '--out-trace', 'x'],
  ['import', 'a', '--out-trace', 'x', '--out-dir', 'y'],
  ['replay', 'seed.json', '--learn', '2', '--repeat', '2', '--', 'x'],
  ['replay', 'seed.json', '--timeout', 'x', '--', 'x'],
  ['export', 'seed.json', '--endpoint', 'http://x/', '-f', 'json'],
  ['export', 'seed.json', '--endpoint', 'http://x/', '-f', 'otlp', '-o', 'y'],
  ['export', 'seed.json', '--meta', 'x'],
  ['export', 'age.txt', '--identity', 'seed.json'],
  ['record', '--target-url', 'http://x/', '--target-command', 'x'],
  ['record', '--header', 'x', '--target-url', 'http://x/'],
  ['mock', 'seed.json', '--on-miss', 'error', '--target-command', 'x'],
];

describe('a hint', () => {
  it.each(commandLines(GIVEN))('never names a flag that was given: $line', async ({ args }) => {
    const place = new CommandPlace();
    place.write('seed.json', seedExample);
    place.write('diary.txt', 'Dear diary\n');
    place.write('none.jsonl', '{"v":1,"type":"meta"}\n');
    place.write('http-sse.json', '{"transport":"http-sse","entries":[]}');
    place.write('age.txt', 'age-encryption.org/v1\n-> X25519 x\n');
    const { code, stderr } = await place.run(args);
    expect(code).not.toBe(0);
    // The sentence says what is wrong and may name flags; the hint follows it.
    const [, ...hints] = stderr.split(/\. (?=[A-Z])/);
    const flags = args.flatMap((word) => (/^--?[a-z]/.test(word) ? [word.replace(/=.*/, '')] : []));
    for (const flag of flags) expect(hints.join('. ')).not.toMatch(new RegExp(`(?<![\\w-])${flag}(?![\\w-])`));
  });

  it('names a flag that was not given', async () => {
    const place = new CommandPlace();
    place.write('diary.txt', 'Dear diary\n');
    expect((await place.run(['inspect', 'diary.txt'])).stderr).toContain('--format');
  });
});
