import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ClientHome } from '../support/client-home.ts';
import { skipOnWindows } from '../support/unless.ts';

const cursor = '.cursor/mcp.json';
const good = '{"mcpServers":{"a":{"command":"a","args":["b"]}}}';
const gemini = '.gemini/settings.json';

const refused: [string, string, string | Uint8Array, string][] = [
  ['is cut off', cursor, '{"mcpServers":{"a":{"command":"a"', 'invalid JSON: close brace expected in line 1'],
  ['is no JSON', cursor, 'mcpServers: a', 'invalid JSON: invalid symbol in line 1'],
  [
    'has a key twice',
    cursor,
    '{"mcpServers":{"a":{"command":"a","command":"b"}}}',
    'duplicate key "command" in line 1',
  ],
  ['is not UTF-8', cursor, Buffer.from('7b2278223a22ff227d', 'hex'), 'it is not UTF-8'],
  ['is UTF-16', cursor, Buffer.from(`\ufeff${good}`, 'utf16le'), 'it is not UTF-8'],
  ['is nested too deeply', cursor, '['.repeat(100_000), 'it is nested too deeply'],
  ['is no TOML', '.codex/config.toml', '[mcp_servers.a]\ncommand = a', 'invalid TOML: invalid value in line 2'],
  ['has a table twice', '.codex/config.toml', '[mcp_servers.a]\n[mcp_servers.a]', 'invalid TOML: '],
];

describe('a configuration that cannot be parsed reliably', () => {
  it.each(refused)(
    'a configuration is left unchanged if it %s, and the others are wrapped',
    async (_, name, content, what) => {
      const home = new ClientHome({ [name]: content, [gemini]: good });
      const before = home.snapshot();
      const { code, stdout, stderr } = await home.run('install', '--yes');
      expect(code).toBe(1);
      expect(stderr).toContain(`Error: ${home.path(name)} was not changed: ${what}`);
      expect(stdout).toContain('Wrapped 1 server\n');
      expect(home.snapshot()[`me/${name}`]).toBe(before[`me/${name}`]);
      expect((await home.run('uninstall', '--yes')).code).toBe(1);
      expect(home.snapshot()).toEqual(before);
    },
  );

  it('install writes nothing if the only configuration is unusable', async () => {
    const home = new ClientHome({ [cursor]: '{"mcpServers":' });
    const before = home.snapshot();
    expect(await home.run('install', '--yes')).toMatchObject({ code: 1, stdout: '' });
    expect(home.snapshot()).toEqual(before);
  });

  it(
    'refuses a configuration that is a pipe without a writer',
    skipOnWindows('Windows has no named pipes among files'),
    async () => {
      const home = new ClientHome({ [gemini]: good });
      mkdirSync(home.path('.cursor'));
      execFileSync('mkfifo', [home.path(cursor)]);
      expect(await home.run('install', '--yes')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          `Error: ${home.path(cursor)} was not changed: it is not a file. To leave it out, name other clients with --client\n`,
        ),
      });
    },
  );

  it('refuses a configuration that is a folder', async () => {
    const home = new ClientHome({});
    mkdirSync(home.path(cursor), { recursive: true });
    expect(await home.run('install', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `Error: ${home.path(cursor)} was not changed: is a folder. To leave it out, name other clients with --client\n`,
      ),
    });
  });
});

describe('a file that cannot be written', () => {
  it('leaves a file unchanged, without a record, if its backup cannot be written', async () => {
    const home = new ClientHome({ [cursor]: good, [gemini]: good });
    // A directory blocks the path of the backup file.
    mkdirSync(home.path(`${cursor}.mcpreel-backup`));
    const { code, stdout, stderr } = await home.run('install', '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain('Wrapped 1 server\n');
    expect(stderr).toContain(`Error: ${home.path(cursor)} was not changed: Cannot write`);
    expect(home.read(cursor)).toBe(good);
    expect(home.place.files().filter((name) => name.startsWith('home/install/'))).toHaveLength(1);
  });

  it('leaves a file unchanged if the state folder cannot be written', async () => {
    const home = new ClientHome({ [cursor]: good });
    home.place.write('home/install', 'in the way');
    const before = home.snapshot();
    expect(await home.run('install', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/was not changed: Cannot create .*[\\/]install: part of the path is not a folder/),
    });
    expect(home.snapshot()).toEqual(before);
  });
});

describe('server names from a configuration', () => {
  it('accepts server names that are special in JavaScript', async () => {
    const text = '{"mcpServers":{"__proto__":{"command":"a"},"constructor":{"command":"b"}}}';
    const home = new ClientHome({ [cursor]: text });
    expect(await home.run('install', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Wrapped 2 servers\n'),
    });
    await home.run('uninstall', '--yes');
    expect(home.snapshot()).toEqual({ [`me/${cursor}`]: text });
  });

  it('server names cannot move the cursor or start a new line', async () => {
    const name = '\u001b[2J\nWrapped 9 servers\u202e';
    const home = new ClientHome({
      [cursor]: JSON.stringify({ mcpServers: { [name]: { command: '\u001b[31m', args: [] } } }),
    });
    for (const args of [['--dry-run'], ['--yes']]) {
      const { code, stdout, stderr } = await home.run('install', ...args);
      expect(code).toBe(0);
      expect(stdout + stderr).not.toMatch(/^Wrapped 9/m);
      for (const char of ['\u001b', '\u202e']) expect(stdout + stderr).not.toContain(char);
      expect(stdout).toContain('\\u001b[2J\\nWrapped 9 servers\\u202e');
    }
  });
});
