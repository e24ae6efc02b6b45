import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parse } from 'smol-toml';
import { expect, it, onTestFinished } from 'vitest';
import { ClientHome } from '../support/client-home.ts';
import { MCPREEL } from '../support/mcpreel-process.ts';
import { parseTrace } from '../support/recordings.ts';
import { notLinux, unless } from '../support/unless.ts';

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const cursor = '.cursor/mcp.json';
/** The util-linux program that runs a command on its own pseudo-terminal. */
const giveTerminal = 'script';
const one = '{ "mcpServers": { "files": { "command": "files" } } }\n';

interface Server {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** Starts a configured server and talks to it, as a client does. */
async function converse({ command, args, env }: Server, cwd: string): Promise<string[]> {
  const client = new Client({ name: 'test-client', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env, cwd, stderr: 'ignore' }));
  try {
    const { tools } = await client.listTools();
    return tools.map(({ name }) => name);
  } finally {
    await client.close();
  }
}

it.each([
  [
    'Cursor',
    cursor,
    (server: object) => `// mine\n${JSON.stringify({ mcpServers: { every: server } }, null, 4)}\n`,
    (text: string): Server => JSON.parse(text.replace(/^\/\/.*/, '')).mcpServers.every,
  ],
  [
    'Codex',
    '.codex/config.toml',
    ({ command, args, env }: Server) =>
      `[mcp_servers.every]\ncommand = ${JSON.stringify(command)} # node\nargs = ${JSON.stringify(args)}\n` +
      `[mcp_servers.every.env]\n${Object.entries(env)
        .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
        .join('')}`,
    (text: string): Server => (parse(text) as unknown as { mcp_servers: { every: Server } }).mcp_servers.every,
  ],
])('after install, %s starts the same server and it is recorded', async (_, name, write, read) => {
  const home = new ClientHome({});
  const env = { MCPREEL_HOME: home.place.home };
  home.write(name, write({ command: process.execPath, args: [everything, 'stdio'], env }));
  const before = home.snapshot();
  const tools = await converse(read(home.read(name)), home.place.folder);
  expect(tools).toContain('echo');
  expect(home.place.traces()).toEqual([]);

  expect(await home.run('install', '--yes')).toMatchObject({ code: 0 });
  expect(await converse(read(home.read(name)), home.place.folder)).toEqual(tools);
  const { meta, messages, end } = parseTrace(home.place.trace());
  expect(meta).toMatchObject({ label: 'every' });
  expect(messages.map(({ payload }) => payload.method)).toContain('tools/list');
  expect(end).toMatchObject({ exitCode: 0 });

  expect(await home.run('uninstall', '--yes')).toMatchObject({ code: 0 });
  const [trace = ''] = home.place.traces();
  const { [trace]: _recording, ...after } = home.snapshot();
  expect(after).toEqual(before);
});

it('docs/install.md shows how an entry changes, and contains only command lines that work', async () => {
  const page = readFileSync(new URL('../../docs/install.md', import.meta.url), 'utf8');
  const [entry = '', wrapped = ''] = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, code]) => code);
  const lines = [...page.matchAll(/^mcpreel ((?:un)?install[^#\n]*)/gm)].map(([, words = '']) =>
    words.trim().split(' '),
  );
  expect(lines).toHaveLength(3);
  const config = (text: string): string => `{ "mcpServers": { "memory": ${text} } }`;
  const home = new ClientHome({ [cursor]: config(entry) });
  for (const [index, args] of lines.entries()) {
    expect(await home.run(...args, '--yes')).toMatchObject({ code: 0 });
    const here = wrapped
      .replace('/usr/bin/node', process.execPath)
      .replace('/usr/lib/node_modules/mcpreel/dist/mcpreel.cjs', MCPREEL);
    expect(home.read(cursor)).toBe(config(index === 1 ? here : entry));
  }
});

it('mcpreel run by npx writes npx into the configuration, with its version', () => {
  const home = new ClientHome({ [cursor]: one });
  const modules = home.place.path('_npx/7a1b/node_modules');
  cpSync(dirname(MCPREEL), join(modules, 'mcpreel/dist'), { recursive: true });
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url)), join(modules, name));
  }
  const options = { cwd: home.place.folder, env: { ...home.place.environment(), ...home.env } };
  execFileSync(process.execPath, [join(modules, 'mcpreel/dist/mcpreel.cjs'), 'install', '--yes'], {
    ...options,
    stdio: 'ignore',
  });
  expect(JSON.parse(home.read(cursor)).mcpServers.files).toEqual({
    command: 'npx',
    args: ['-y', `mcpreel@${manifest.version}`, '--label', 'files', '--', 'files'],
  });
});

it.each([
  ['y', 0, 'Wrapped 1 server', true],
  ['n', 0, 'Nothing was changed.', false],
  ['', 0, 'Nothing was changed.', false],
])('accepts "%s" as an answer to the prompt on a terminal', unless(notLinux), async (answer, code, sent, wraps) => {
  const home = new ClientHome({ [cursor]: one });
  const env = { ...home.place.environment(), ...home.env, TERM: 'dumb' };
  const line = `${process.execPath} ${MCPREEL} install`;
  const terminal = spawn(giveTerminal, ['-qfec', line, '/dev/null'], { cwd: home.place.folder, env });
  onTestFinished(() => void terminal.kill('SIGKILL'));
  let screen = '';
  terminal.stdout.on('data', (chunk: Buffer) => {
    const requested = screen.includes('[y/N]');
    screen += chunk.toString();
    if (!requested && screen.includes('[y/N]')) terminal.stdin.write(`${answer}\r`);
  });
  const status = await new Promise((resolve) => terminal.once('close', resolve));
  expect(screen).toContain('+ files: files');
  expect(screen).toContain('Wrap 1 server in 1 file? [y/N]');
  expect(screen).toContain(sent);
  expect(status).toBe(code);
  expect(home.read(cursor) !== one).toBe(wraps);
});
