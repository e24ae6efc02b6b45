// What windows-checks.mjs needs to run an installed mcpreel on Windows: programs, servers and clients.
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** The program, and the folder that it is installed in. */
export const [, , mcpreel, installed] = process.argv;
export const home = mkdtempSync(join(tmpdir(), 'mcpreel windows-'));
export const node = process.execPath;
const system = 'C:\\windows\\system32';
for (const name of Object.keys(process.env)) if (/^(path|comspec)$/i.test(name)) delete process.env[name];
Object.assign(process.env, { PATH: `${dirname(node)};${system}`, ComSpec: `${system}\\cmd.exe`, MCPREEL_HOME: home });

/** For what hangs only: no check is to fail on a machine that is several times slower. */
const MAX_MS = 60_000;
const running = new Set();

/** Kills what a failed check left, so that the next check does not meet it. */
export function endAll() {
  for (const child of running) child.kill();
}

export function start(args, env = {}) {
  const child = spawn(node, [mcpreel, ...args], { env: { ...process.env, ...env }, windowsHide: true });
  running.add(child.once('close', () => running.delete(child)));
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
  const one = { child, out: '', err: '', within };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    one.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    one.err += text;
  });
  child.stdin.on('error', () => undefined);
  async function within() {
    const end = await Promise.race([ended, delay(MAX_MS, undefined, { ref: false })]);
    if (end !== undefined) return end;
    child.kill();
    throw new Error(`mcpreel ${args.join(' ')} still runs after a minute: ${one.err}`);
  }
  return one;
}

export async function run(args, input = '', env = {}) {
  const one = start(args, env);
  one.child.stdin.end(input);
  const end = await one.within();
  return { ...end, out: one.out, err: one.err };
}

export async function sessions() {
  const { out } = await run(['sessions', '--json']);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Waits for the address that a listener or the page prints. */
export async function addressIn(one) {
  await until(() => /http:\S+\s/.test(one.out + one.err));
  return /http:\S+/.exec(one.out + one.err)[0];
}

/** Ends the only running session, as the terminal UI does. */
export async function endAtPipe() {
  const live = join(home, 'live');
  const announced = () => (existsSync(live) ? readdirSync(live).filter((name) => name.endsWith('.json')) : []);
  await until(() => announced().length === 1);
  const { socket, token } = JSON.parse(readFileSync(join(live, announced()[0]), 'utf8'));
  for (let times = 0; times < 50; times++) {
    const connection = connect(socket);
    const isOpen = await new Promise((resolve) => {
      connection.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    if (isOpen) {
      connection.write(`${JSON.stringify({ v: 1, token })}\n{"ref":1,"type":"control"}\n{"ref":2,"type":"end"}\n`);
      connection.resume();
      return;
    }
    await delay(100);
  }
  throw new Error('no process listens at the pipe of the session');
}

/** A server that never exits by itself. It writes the ids of the processes that must be gone: its parent and itself. */
export function deaf(mark) {
  return `setInterval(()=>{},1e3);process.stdin.resume();require('fs').writeFileSync(${quoted(mark)},process.ppid+' '+process.pid)`;
}

/** Without double quotes and backslashes, which cmd.exe interprets in its own way. */
export function quoted(path) {
  return `'${path.replaceAll('\\', '/')}'`;
}

/** Writes a .cmd file and returns a PATH that finds it. */
export function commandFile(name, script) {
  // In a folder without a space, because cmd.exe of wine does not accept one.
  const folder = join(installed, 'commands');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.js`), script);
  writeFileSync(join(folder, `${name}.cmd`), `@node "%~dp0${name}.js"\r\n`);
  return `${folder};${process.env.PATH}`;
}

export async function allGone(mark) {
  const pids = readFileSync(mark, 'utf8').split(' ').map(Number);
  const alive = () =>
    pids.filter((pid) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    });
  try {
    await until(() => alive().length === 0);
  } catch {
    const left = alive();
    for (const pid of left) process.kill(pid);
    assert.deepEqual(left, [], 'processes that are left of mcpreel and the server');
  }
}

export async function until(test) {
  for (const endMs = performance.now() + MAX_MS; !test(); await delay(20)) {
    if (performance.now() > endMs) throw new Error('it did not happen within a minute');
  }
}

export function messagesIn(file) {
  const text = readFileSync(file, 'utf8');
  const found = [];
  JSON.parse(text, (_, value) => {
    if (value !== null && typeof value === 'object' && value.jsonrpc === '2.0') found.push(value);
    return value;
  });
  return found;
}

export function importInstalled(name) {
  return import(pathToFileURL(createRequire(join(installed, 'package.json')).resolve(name)).href);
}

export function sdkServer() {
  const path = join(installed, 'server.mjs');
  writeFileSync(
    path,
    `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
const server = new McpServer({ name: 'sum', version: '1.0.0' });
server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }));
await server.connect(new StdioServerTransport());
process.stdin.on('end', () => process.exit());
`,
  );
  return path;
}

export async function sdkClient(args) {
  const { Client } = await importInstalled('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await importInstalled('@modelcontextprotocol/sdk/client/stdio.js');
  const client = new Client({ name: 'checks', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: node, args: [mcpreel, ...args], env: { ...process.env } }));
  return { client, close: () => client.close() };
}
