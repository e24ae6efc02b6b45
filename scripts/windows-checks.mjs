// Uses an installed mcpreel on Windows, or under wine, and prints a line for each check. It runs in a Node for Windows,
// so the processes that it starts have Windows pipes.
//
//   node windows-checks.mjs <mcpreel.cjs> <the folder it is installed in> <the version of wine>
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [, , mcpreel, installed, wine = ''] = process.argv;
const home = mkdtempSync(join(tmpdir(), 'mcpreel windows-'));
const node = process.execPath;
const system = 'C:\\windows\\system32';
for (const name of Object.keys(process.env)) if (/^(path|comspec)$/i.test(name)) delete process.env[name];
Object.assign(process.env, { PATH: `${dirname(node)};${system}`, ComSpec: `${system}\\cmd.exe`, MCPREEL_HOME: home });

const ECHO = 'process.stdin.pipe(process.stdout)';
// A parser would change the spaces, the escape, the number beyond 2^53 and the Windows line end.
const LINE = '{ "jsonrpc":"2.0", "id":12345678901234567890, "method":"p\\u0069ng" }\r\n';
const CALL = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

/** What wine 8 lacks for a check, by the name of the check. */
const LACKING_IN_WINE_8 = {
  'a server behind a .cmd file that ignores the end of its input': 'its taskkill ends no process trees',
};

const CHECKS = {
  'Node says that this is Windows': () => assert.equal(process.platform, 'win32'),

  'mcpreel --version': async () => {
    const { version } = JSON.parse(readFileSync(join(dirname(mcpreel), '../package.json'), 'utf8'));
    assert.equal((await run(['--version'])).out.trim(), version);
  },

  demo: async () => assert.equal((await run(['demo'])).code, 0),

  'sessions, inspect, and export over a file that is there': async () => {
    const [{ session }] = await sessions();
    assert.equal((await run(['inspect', session])).code, 0);
    for (const time of ['first', 'second']) {
      assert.equal((await run(['export', session, '-o', join(home, 'x.json')])).code, 0, `the ${time} export`);
    }
  },

  'bytes and line ends pass unchanged': async () => {
    const file = join(home, 'bytes.json');
    assert.equal((await run(['--session-file', file, '--', 'node', '-e', ECHO], LINE)).out, LINE);
    assert.equal(messagesIn(file).length, 2);
  },

  'a client and a server of the SDK': async () => {
    const file = join(home, 'sdk.json');
    const { client, close } = await sdkClient(['--session-file', file, '--', 'node', sdkServer()]);
    const answer = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
    assert.deepEqual(answer.content, [{ type: 'text', text: '5' }]);
    await close();
    assert.ok(
      messagesIn(file).some(({ method }) => method === 'tools/call'),
      'the call is in the session file',
    );
  },

  'the session file of a server that ignores the end of its input': async () => {
    const file = join(home, 'deaf.json');
    const { client, close } = await sdkClient(['--session-file', file, '--', 'node', sdkServer('--deaf')]);
    await client.ping();
    await close();
    assert.ok(
      messagesIn(file).some(({ method }) => method === 'ping'),
      'the ping is in the session file',
    );
  },

  'the exit status is that of the server': async () => {
    assert.equal((await run(['--', 'node', '-e', 'process.exitCode = 42'])).code, 42);
  },

  // For a missing program, cmd.exe of wine exits with 9009, and cmd.exe of Windows with 1. Node replaces it here: given
  // `/d`, it exits with 1 too.
  'a program that is not there': async () => {
    const { code, err } = await run(['--', 'nosuch'], '', { ComSpec: node });
    assert.equal(code, 127);
    assert.match(err, /Cannot start "nosuch"/);
  },

  'a server that is a .cmd file': async () => {
    const PATH = commandFile('mysrv', ECHO);
    assert.equal((await run(['--', 'mysrv.cmd'], LINE, { PATH })).out, LINE);
  },

  'a server behind a .cmd file that ignores the end of its input': async () => {
    const mark = join(home, 'behind');
    const PATH = commandFile('deafsrv', `${deaf(mark)}`);
    const one = start(['--kill-after', '0.5', '--', 'deafsrv.cmd'], { PATH });
    await until(() => existsSync(mark));
    one.child.stdin.end();
    assert.equal((await one.within(15_000)).code, 137);
    await allGone(mark);
  },

  'a running session is found, held and ended at its pipe': async () => {
    const one = start(['--label', 'live', '--', 'node', '-e', ECHO]);
    one.child.stdin.write(LINE);
    await until(() => one.out.includes('\n'));
    const { session } = (await sessions()).find(({ label }) => label === 'live');
    const hold = start(['hold', session]);
    await until(() => hold.out.includes('\n'));
    assert.match(hold.out, /"mode":"intercept"/);
    hold.child.stdin.end();
    await hold.within(10_000);
    one.child.stdin.end();
    assert.deepEqual(await one.within(10_000), { code: 0, signal: null });
    assert.deepEqual(readdirSync(join(home, 'live')), [], 'what it left');
  },

  'what a killed session left, whose process number is alive, is removed': async () => {
    const socket = '\\\\.\\pipe\\mcpreel-nobody';
    const left = {
      id: 'dead',
      pid: process.pid,
      startedAt: '2026-01-01T00:00:00.000Z',
      label: 'dead',
      trace: 'x',
      socket,
    };
    writeFileSync(join(home, 'live', 'dead.json'), JSON.stringify(left));
    await sessions();
    assert.deepEqual(readdirSync(join(home, 'live')), []);
  },

  'a stop, as Ctrl-C is one: the server hears the end of its input': async () => {
    const mark = join(home, 'heard');
    const tell = `process.stdin.resume().on('end',()=>require('fs').writeFileSync(${quoted(mark)},'end'))`;
    const one = start(['--', 'node', '-e', tell]);
    await endAtPipe();
    assert.equal((await one.within(15_000)).code, 0);
    assert.equal(readFileSync(mark, 'utf8'), 'end');
  },

  'a stop of a server that ignores it': async () => {
    const mark = join(home, 'stopped');
    const one = start(['--', 'node', '-e', deaf(mark)]);
    await until(() => existsSync(mark));
    await endAtPipe();
    assert.equal((await one.within(15_000)).code, 137);
    await allGone(mark);
  },

  'no server outlives its client': async () => {
    const mark = join(home, 'orphan');
    const args = [mcpreel, '--orphan-after', '1', '--', 'node', '-e', deaf(mark)];
    const client = `require('child_process').spawn(process.execPath,${JSON.stringify(args)},{stdio:['pipe','ignore','ignore'],detached:true});setInterval(()=>{if(require('fs').existsSync(${quoted(mark)}))process.exit()},50)`;
    await new Promise((resolve) => spawn(node, ['-e', client], { stdio: 'ignore' }).on('exit', resolve));
    await allGone(mark);
  },

  'a trace that is removed meanwhile is begun again': async () => {
    const trace = join(home, 'removed.jsonl');
    const one = start(['--trace-file', trace, '--', 'node', '-e', ECHO]);
    one.child.stdin.write(CALL);
    await until(() => existsSync(trace) && /"ping/.test(readFileSync(trace, 'utf8')));
    // Renamed first: in wine, a file that Node 20 removes can be opened until its last handle is closed.
    renameSync(trace, `${trace}.removed`);
    unlinkSync(`${trace}.removed`);
    for (let times = 0; times < 100 && !existsSync(trace); times++) {
      one.child.stdin.write(CALL);
      await delay(100);
    }
    one.child.stdin.end();
    await one.within(10_000);
    assert.match(readFileSync(trace, 'utf8'), /"ping/);
  },

  'install and uninstall under APPDATA restore a file with CR LF': async () => {
    const folder = join(process.env.APPDATA, 'Claude');
    const path = join(folder, 'claude_desktop_config.json');
    const text = '{\r\n  "mcpServers": { "t": { "command": "npx", "args": ["-y", "C:\\\\x"] } }\r\n}\r\n';
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, text);
    assert.equal((await run(['install', '--yes'])).code, 0);
    const wrapped = readFileSync(path, 'utf8');
    assert.match(wrapped, /mcpreel\.cjs/);
    assert.doesNotMatch(wrapped, /[^\r]\n/, 'every line still ends with CR LF');
    assert.equal((await run(['uninstall', '--yes'])).code, 0);
    assert.equal(readFileSync(path, 'utf8'), text);
  },
};

for (const [name, check] of Object.entries(CHECKS)) {
  const startedMs = performance.now();
  let result = 'ok';
  let reason = '';
  const lacking = Number.parseInt(wine, 10) < 10 ? LACKING_IN_WINE_8[name] : undefined;
  try {
    if (lacking === undefined) await check();
    else [result, reason] = ['skipped', `: ${lacking}`];
  } catch (error) {
    process.exitCode = 1;
    result = 'FAILED';
    reason = `: ${String(error.message).split('\n').slice(0, 6).join(' ')}`;
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  process.stdout.write(`${JSON.stringify({ name: `${name}${reason}`, seconds, result })}\n`);
}
rmSync(home, { recursive: true, force: true, maxRetries: 5 });
process.exit();

function start(args, env = {}) {
  const child = spawn(node, [mcpreel, ...args], { env: { ...process.env, ...env }, windowsHide: true });
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
  const one = { child, out: '', err: '', within };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    one.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    one.err += text;
  });
  child.stdin.on('error', () => undefined);
  async function within(ms) {
    const end = await Promise.race([ended, delay(ms)]);
    if (end !== undefined) return end;
    child.kill();
    throw new Error(`mcpreel ${args.join(' ')} still runs after ${ms} ms: ${one.err}`);
  }
  return one;
}

async function run(args, input = '', env = {}) {
  const one = start(args, env);
  one.child.stdin.end(input);
  const end = await one.within(30_000);
  return { ...end, out: one.out, err: one.err };
}

async function sessions() {
  const { out } = await run(['sessions', '--json']);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Ends the only running session, as the terminal UI does. */
async function endAtPipe() {
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
function deaf(mark) {
  return `setInterval(()=>{},1e3);process.stdin.resume();require('fs').writeFileSync(${quoted(mark)},process.ppid+' '+process.pid)`;
}

/** Without double quotes and backslashes, which cmd.exe interprets in its own way. */
function quoted(path) {
  return `'${path.replaceAll('\\', '/')}'`;
}

/** Writes a .cmd file and returns a PATH that finds it. */
function commandFile(name, script) {
  // In a folder without a space, because cmd.exe of wine does not accept one.
  const folder = join(installed, 'commands');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.js`), script);
  writeFileSync(join(folder, `${name}.cmd`), `@node "%~dp0${name}.js"\r\n`);
  return `${folder};${process.env.PATH}`;
}

async function allGone(mark) {
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

async function until(test) {
  for (const endMs = performance.now() + 15_000; !test(); await delay(20)) {
    if (performance.now() > endMs) throw new Error('it did not happen within 15 s');
  }
}

function messagesIn(file) {
  const text = readFileSync(file, 'utf8');
  const found = [];
  JSON.parse(text, (_, value) => {
    if (value !== null && typeof value === 'object' && value.jsonrpc === '2.0') found.push(value);
    return value;
  });
  return found;
}

function importInstalled(name) {
  return import(pathToFileURL(createRequire(join(installed, 'package.json')).resolve(name)).href);
}

function sdkServer(...flags) {
  const path = join(installed, `server${flags.join('')}.mjs`);
  writeFileSync(
    path,
    `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
const server = new McpServer({ name: 'sum', version: '1.0.0' });
server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }));
await server.connect(new StdioServerTransport());
${flags.includes('--deaf') ? 'setInterval(() => {}, 1000);' : "process.stdin.on('end', () => process.exit());"}
`,
  );
  return path;
}

async function sdkClient(args) {
  const { Client } = await importInstalled('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await importInstalled('@modelcontextprotocol/sdk/client/stdio.js');
  const client = new Client({ name: 'checks', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: node, args: [mcpreel, ...args], env: { ...process.env } }));
  return { client, close: () => client.close() };
}
