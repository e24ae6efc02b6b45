import { describe, expect, it } from 'vitest';
import { PLACEHOLDERS } from '../../src/redact/placeholder.ts';
import { commandLines } from '../support/command-lines.ts';
import { CommandPlace } from '../support/command-place.ts';
import { GITHUB_TOKEN, SERVICE_ACCOUNT_TOKEN } from '../support/sample-secrets.ts';
import { seedExample, sessionText } from '../support/session-texts.ts';

const session = sessionText([
  {
    payload: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"t":"${GITHUB_TOKEN}"}}}`,
  },
  { from: '<', payload: `{"jsonrpc":"2.0","id":1,"result":{"password":"hunter22","n":"${SERVICE_ACCOUNT_TOKEN}"}}` },
]).replace('my_server.py', "  'my server.py' --api-key hunter2");

const FORMATS = ['json', 'trace', 'jsonrpc', 'streamable-http', 'http-sse', 'inspector', 'assay'];

async function exported(...flags: string[]): Promise<{ stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await new CommandPlace().run(['export', '-', ...flags], { input: session });
  expect(code).toBe(0);
  return { stdout, stderr };
}

describe('export', () => {
  it.each(FORMATS)('removes secrets from %s, and reports it in one line', async (format) => {
    const { stdout, stderr } = await exported('-f', format);
    for (const secret of [GITHUB_TOKEN, SERVICE_ACCOUNT_TOKEN, 'hunter2']) expect(stdout).not.toContain(secret);
    expect(stderr.split('\n')[0]).toMatch(/^Redacted \d secrets: .*1 1password-token, 1 github-token/);
  });

  it.each(FORMATS)('writes %s of a session without secrets exactly as with --no-redact', async (format) => {
    const place = new CommandPlace();
    const [redacted, whole] = [
      await place.run(['export', '-', '-f', format], { input: seedExample }),
      await place.run(['export', '-', '-f', format, '--no-redact'], { input: seedExample }),
    ];
    expect(redacted.stdout).toBe(whole.stdout);
    expect(redacted.stderr).toBe(whole.stderr);
  });

  it.each(commandLines([['--no-redact'], ['--redact', 'off']]))(
    'removes nothing with $line',
    async ({ args: flags }) => {
      const { stdout, stderr } = await exported('-f', 'json', ...flags);
      for (const secret of [GITHUB_TOKEN, SERVICE_ACCOUNT_TOKEN, 'hunter2']) expect(stdout).toContain(secret);
      expect(stderr).toBe('');
    },
  );

  it('removes the values that the flags select', async () => {
    const strict = await exported('--redact', 'strict', '--redact-key', 'name');
    expect(strict.stdout).toMatch(/"password":"\[REDACTED:password:/);
    expect(strict.stdout).toMatch(/"name":"\[REDACTED:name:/);
    const path = await exported('--redact', 'off', '--redact-path', '$.params.arguments.t');
    expect(path.stdout).not.toContain(GITHUB_TOKEN);
    expect(path.stdout).toContain(SERVICE_ACCOUNT_TOKEN);
  });

  it('replaces equal values with equal placeholders in one export, and with others in the next', async () => {
    const [one, two] = [await exported('-f', 'jsonrpc'), await exported('-f', 'jsonrpc')];
    expect(one.stdout).not.toBe(two.stdout);
    expect(one.stdout.replaceAll(PLACEHOLDERS, '')).toBe(two.stdout.replaceAll(PLACEHOLDERS, ''));
  });
});
