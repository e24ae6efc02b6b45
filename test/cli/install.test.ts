import { lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clients } from '../../src/install/clients.ts';
import { corpusNames, corpusText } from '../contract/files.ts';
import { ClientHome } from '../support/client-home.ts';
import { MCPREEL, McpreelProcess } from '../support/mcpreel-process.ts';

const cursor = '.cursor/mcp.json';
const one = '{\n  "mcpServers": {\n    "files": { "command": "npx", "args": ["-y", "files"] }\n  }\n}\n';
const recorded = (name: string, ...words: string[]): object => ({
  command: process.execPath,
  args: [MCPREEL, '--label', name, ...words],
});

/** A home folder in which every client has every file of its corpus. */
function everyClient(): ClientHome {
  const home = new ClientHome({});
  const place = { platform: process.platform, home: home.path(''), cwd: home.place.folder, env: {} };
  for (const client of clients) {
    const paths = client.files(place);
    for (const name of corpusNames(`install/${client.id}`)) {
      const path = (name.startsWith('project.') ? paths.at(-1) : paths[0]) ?? '';
      home.place.write(path.slice(home.place.folder.length + 1), corpusText(`install/${client.id}/${name}`));
    }
  }
  return home;
}

describe('mcpreel install', () => {
  it('wraps the servers of every client once, and uninstall reverts all of it', async () => {
    const home = everyClient();
    const before = home.snapshot();
    const first = await home.run('install', '--yes');
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nWrapped 34 servers\n$/) });
    const wrapped = home.snapshot();
    for (const name of Object.keys(before)) expect(wrapped[name], name).not.toBe(before[name]);

    const second = await home.run('install', '--yes');
    expect(second).toMatchObject({ code: 0, stderr: 'No servers to wrap.\n' });
    expect(home.snapshot()).toEqual(wrapped);

    expect(await home.run('uninstall', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nUnwrapped 34 servers\n$/),
      stderr: expect.not.stringContaining('by its words'),
    });
    expect(home.snapshot()).toEqual(before);
    expect(await home.run('uninstall', '--yes')).toMatchObject({ code: 0, stderr: 'No servers to unwrap.\n' });
  });

  it('does not print secrets from environment variables', async () => {
    const home = everyClient();
    for (const args of [['--dry-run'], ['--json'], ['--dry-run', '--json'], ['--yes'], ['--yes']]) {
      const { stdout, stderr } = await home.run('install', ...args);
      expect(stdout + stderr).toContain('mcpreel');
      expect(stdout + stderr).not.toContain('s3cret');
    }
  });

  it('lists what it would wrap, and wraps nothing without consent', async () => {
    const home = new ClientHome({
      [cursor]: `{ "mcpServers": {
        "files": { "command": "npx", "args": ["-y", "a b"] },
        "web": { "url": "https://h/mcp?a=1" },
        "events": { "url": "https://h/sse" },
        "odd": { "command": 1 },
        "mine": { "command": "mcpreel", "args": ["--", "x"] }
      } }`,
      '.claude.json': '{"projects":{"/home/me/one":{"mcpServers":{"files":{"command":"files"}}}}}',
    });
    const before = home.snapshot();
    const { code, stdout, stderr } = await home.run('install');
    expect(stdout).toBe(
      [
        `Claude Code: ${home.path('.claude.json')}`,
        '  + files (/home/me/one): files',
        `Cursor: ${home.path(cursor)}`,
        "  + files: npx -y 'a b'",
        "    web: not changed (HTTP). Record it with: mcpreel record --transport streamable-http --target-url 'https://h/mcp?a=1'",
        '    events: not changed (HTTP). Record it with: mcpreel record --transport sse --target-url https://h/sse',
        '    odd: skipped: its command is not a string',
        '    mine: runs mcpreel, configured by hand, mcpreel -- x',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('Error: Nothing was changed: no terminal to ask for confirmation. Confirm with --yes.\n');
    expect(code).toBe(1);
    expect(home.snapshot()).toEqual(before);
  });

  it('shows the lines that would change with --dry-run, and changes nothing', async () => {
    const home = new ClientHome({ [cursor]: one });
    const before = home.snapshot();
    const { code, stdout, stderr } = await home.run('install', '--dry-run', '--yes');
    const words = (...list: string[]): string => list.map((word) => JSON.stringify(word)).join(', ');
    expect(stdout).toBe(
      [
        `Cursor: ${home.path(cursor)}`,
        '  + files: npx -y files',
        `--- ${home.path(cursor)}`,
        `+++ ${home.path(cursor)}`,
        '@@ line 3: files @@',
        '-…"command": "npx"…',
        `+…"command": ${words(process.execPath)}…`,
        '@@ line 3: files @@',
        '-…"args": ["-y", "files"]…',
        `+…"args": [${words(MCPREEL, '--label', 'files', '--', 'npx', '-y', 'files')}]…`,
        '',
      ].join('\n'),
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Dry run: would wrap 1 server in 1 file.\n',
    });
    expect(home.snapshot()).toEqual(before);

    await home.run('install', '--yes');
    const wrapped = home.snapshot();
    expect(await home.run('uninstall', '--dry-run')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('\n-…'),
    });
    expect(home.snapshot()).toEqual(wrapped);
  });

  it('prints the plan as one JSON object with --json, and changes files only with --yes', async () => {
    const home = new ClientHome({ [cursor]: one });
    const listed = await home.run('install', '--json');
    const file = {
      client: 'cursor',
      file: home.path(cursor),
      servers: [{ name: 'files', state: 'plain', changes: true, command: ['npx', '-y', 'files'] }],
    };
    expect(JSON.parse(listed.stdout)).toEqual({ files: [file], problems: [], changed: 0 });
    expect(home.read(cursor)).toBe(one);
    expect(JSON.parse((await home.run('install', '--json', '--yes')).stdout)).toMatchObject({ changed: 1 });
    expect(JSON.parse((await home.run('install', '--json')).stdout)).toMatchObject({
      files: [{ servers: [{ state: 'wrapped', changes: false }] }],
    });
  });

  it('wraps nothing if no client is installed', async () => {
    expect(await new ClientHome({}).run('install')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No servers to wrap.\n',
    });
  });

  it('wraps only the selected clients and servers', async () => {
    const servers = '{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}}';
    const home = new ClientHome({ [cursor]: servers, '.gemini/settings.json': servers });
    expect(await home.run('install', '--yes', '--client', 'cursor', '--server', 'b')).toMatchObject({ code: 0 });
    expect(home.read('.gemini/settings.json')).toBe(servers);
    expect(JSON.parse(home.read(cursor)).mcpServers).toEqual({
      a: { command: 'a' },
      b: recorded('b', '--', 'b'),
    });
    expect(await home.run('install', '--client', 'emacs')).toMatchObject({
      code: 2,
      stderr:
        'Error: Unknown --client: emacs. Use one of claude-desktop, claude-code, cursor, vscode, windsurf, gemini-cli, codex, zed.\n',
    });
    expect(await home.run('install', '--server', 'c')).toMatchObject({
      code: 1,
      stderr: 'Error: No client has a server named "c". List them: mcpreel install --dry-run\n',
    });
  });

  it('adds recorder flags to the command, with absolute paths', async () => {
    const home = new ClientHome({ [cursor]: one });
    const flags = ['--session-file', 'out.json', '--meta', 'a=b', '--must-record'];
    expect(await home.run('install', '--yes', '--', ...flags)).toMatchObject({ code: 0 });
    expect(JSON.parse(home.read(cursor)).mcpServers.files).toEqual(
      recorded(
        'files',
        ...['--session-file', home.place.path('out.json'), '--meta', 'a=b', '--must-record'],
        ...['--', 'npx', '-y', 'files'],
      ),
    );
  });

  it.each([
    [['--nonsense', 'x'], "Unknown option '--nonsense'"],
    [['stray'], "Unexpected argument 'stray'"],
    [['--target-command', 'x'], '--target-command cannot be set here: it is different for each server'],
    [['--max-bytes', 'much'], 'much'],
    [['--session-file', 'x.json'], '2 servers would write to the same session file'],
    [['--hold', '(b'], 'Missing )'],
    [['--rules', 'none.yaml'], 'none.yaml: no such file or folder'],
    [['--redact-value', '('], 'Cannot use the redaction pattern "("'],
    [['--tui'], '--tui needs its own terminal'],
  ])('refuses flags that a recorder would reject: %s', async (flags, message) => {
    const home = new ClientHome({ [cursor]: '{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}}' });
    const before = home.snapshot();
    const { code, stderr } = await home.run('install', '--yes', '--', ...flags);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(home.snapshot()).toEqual(before);
  });

  it('follows a symlink to the file, and keeps the symlink', async () => {
    const home = new ClientHome({ 'dotfiles/cursor.json': one });
    mkdirSync(home.path('.cursor'));
    symlinkSync('../dotfiles/cursor.json', home.path(cursor));
    // The project file is a symlink to the same file.
    mkdirSync(home.place.path('.cursor'));
    symlinkSync(home.path(cursor), home.place.path('.cursor/mcp.json'));
    const before = home.snapshot();
    expect(await home.run('install', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Wrapped 1 server\n'),
    });
    expect(lstatSync(home.path(cursor)).isSymbolicLink()).toBe(true);
    expect(home.read('dotfiles/cursor.json')).toContain('mcpreel');
    expect(home.place.mode('me/dotfiles/cursor.json.mcpreel-backup')).toBe(0o600);
    await home.run('uninstall', '--yes');
    expect(lstatSync(home.path(cursor)).isSymbolicLink()).toBe(true);
    expect(home.snapshot()).toEqual(before);
  });

  it('keeps one backup of the file from before the first wrap', async () => {
    const home = new ClientHome({ [cursor]: '{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}}' });
    const before = home.read(cursor);
    await home.run('install', '--yes', '--server', 'a');
    await home.run('install', '--yes', '--server', 'b');
    expect(home.read(`${cursor}.mcpreel-backup`)).toBe(before);
    await home.run('uninstall', '--yes', '--server', 'b');
    expect(home.read(`${cursor}.mcpreel-backup`)).toBe(before);
    await home.run('uninstall', '--yes');
    expect(home.snapshot()).toEqual({ [`me/${cursor}`]: before });
  });
});

describe('mcpreel uninstall', () => {
  it('restores the bytes of each entry after edits elsewhere in the file', async () => {
    const home = new ClientHome({ [cursor]: one });
    await home.run('install', '--yes');
    const edit = (text: string): string => text.replace('{\n', '{\n  // mine\n  "theme": "dark",\n');
    home.write(cursor, edit(home.read(cursor)));
    expect(await home.run('uninstall', '--yes')).toMatchObject({ code: 0 });
    expect(home.snapshot()).toEqual({ [`me/${cursor}`]: edit(one) });
  });

  it('restores the command line if the state folder is lost, and reports it', async () => {
    const home = new ClientHome({ [cursor]: '{"mcpServers":{"a":{"command":"a"}}}' });
    await home.run('install', '--yes');
    rmSync(home.place.home, { recursive: true });
    expect(await home.run('uninstall', '--yes')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('but not the exact formatting: a\n'),
    });
    expect(JSON.parse(home.read(cursor))).toEqual({ mcpServers: { a: { command: 'a', args: [] } } });
  });

  it('leaves entries alone that were wrapped by hand', async () => {
    const byHand = '{"mcpServers":{"a":{"command":"npx","args":["-y","mcpreel","--","a"]}}}';
    const home = new ClientHome({ [cursor]: byHand });
    expect(await home.run('install', '--yes')).toMatchObject({ code: 0, stderr: 'No servers to wrap.\n' });
    expect(await home.run('uninstall', '--yes')).toMatchObject({ code: 0, stderr: 'No servers to unwrap.\n' });
    expect(home.snapshot()).toEqual({ [`me/${cursor}`]: byHand });
  });

  it('finds project files from any folder, and forgets deleted ones', async () => {
    const home = new ClientHome({ '../.mcp.json': one, '../.vscode/mcp.json': one.replace('mcpServers', 'servers') });
    await home.run('install', '--yes');
    rmSync(home.place.path('.vscode'), { recursive: true });
    mkdirSync(home.place.path('elsewhere'));
    const running = new McpreelProcess(['uninstall', '--yes'], {
      cwd: home.place.path('elsewhere'),
      env: { ...home.place.environment(), ...home.env },
    });
    running.end();
    expect(await running.ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`${home.place.path('.vscode/mcp.json')} no longer exists.\n`),
    });
    expect(home.snapshot()).toEqual({ '.mcp.json': one });
  });
});
