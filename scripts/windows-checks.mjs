// Uses an installed mcpreel on Windows, or under wine, and prints a line for each check. It runs in a Node for Windows,
// so the processes that it starts have Windows pipes.
//
//   node windows-checks.mjs <mcpreel.cjs> <the folder it is installed in> <the version of wine>
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  addressIn,
  allGone,
  commandFile,
  deaf,
  endAll,
  endAtPipe,
  home,
  importInstalled,
  installed,
  mcpreel,
  messagesIn,
  node,
  quoted,
  run,
  sdkClient,
  sdkServer,
  sessions,
  start,
  until,
} from './windows-check-tools.mjs';

const [, , , , wine = ''] = process.argv;

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
    const trace = join(home, 'sdk.jsonl');
    const { client, close } = await sdkClient(['--trace-file', trace, '--', 'node', sdkServer()]);
    const answer = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
    assert.deepEqual(answer.content, [{ type: 'text', text: '5' }]);
    await close();
    assert.match(readFileSync(trace, 'utf8'), /tools\/call/);
  },

  'the session file of a server that ignores the end of its input': async () => {
    const [file, mark] = [join(home, 'deaf.json'), join(home, 'deaf')];
    const one = start(['--session-file', file, '--', 'node', '-e', deaf(mark)]);
    await until(() => existsSync(mark));
    // mcpreel would wait for the response to a request.
    one.child.stdin.end('{"jsonrpc":"2.0","method":"notifications/checked"}\n');
    assert.equal((await one.within()).code, 137);
    assert.ok(
      messagesIn(file).some(({ method }) => method === 'notifications/checked'),
      'the message is in the session file',
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
    assert.equal((await one.within()).code, 137);
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
    await hold.within();
    one.child.stdin.end();
    assert.deepEqual(await one.within(), { code: 0, signal: null });
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
    assert.equal((await one.within()).code, 0);
    assert.equal(readFileSync(mark, 'utf8'), 'end');
  },

  'a stop of a server that ignores it': async () => {
    const mark = join(home, 'stopped');
    const one = start(['--', 'node', '-e', deaf(mark)]);
    await until(() => existsSync(mark));
    await endAtPipe();
    assert.equal((await one.within()).code, 137);
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
    await one.within();
    assert.match(readFileSync(trace, 'utf8'), /"ping/);
  },

  'what a killed session recorded can be recovered, and doctor says so': async () => {
    const file = join(home, 'killed.json');
    const one = start(['--session-file', file, '--label', 'killed', '--', 'node', '-e', ECHO]);
    one.child.stdin.write(CALL);
    await until(() => one.out.includes('\n'));
    const { session, files } = (await sessions()).find(({ label }) => label === 'killed');
    await until(() => /"ping/.test(readFileSync(files[0].path, 'utf8')));
    one.child.kill();
    await one.within();
    const { code, out } = await run(['doctor']);
    assert.match(out, /killed\.json was written\s+→ mcpreel sessions recover/);
    assert.equal(code, 3);
    assert.equal((await run(['sessions', 'recover', session.slice(0, 8), '-o', file])).code, 0);
    assert.ok(messagesIn(file).some(({ method }) => method === 'ping'));
  },

  'a listener, the page, a mock and a replay': async () => {
    const file = join(home, 'http.json');
    const trace = join(home, 'http.jsonl');
    const server = ['node', sdkServer()];
    const listen = ['--listen-transport', 'streamable-http', '--listen-port', '0', '--trace-file', trace];
    const one = start([...listen, '--', ...server]);
    const { Client } = await importInstalled('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport: Http } = await importInstalled(
      '@modelcontextprotocol/sdk/client/streamableHttp.js',
    );
    const client = new Client({ name: 'checks', version: '1.0.0' });
    await client.connect(new Http(new URL(await addressIn(one))));
    await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
    await client.close();
    await until(() => /\{\\?"type\\?":\\?"text/.test(readFileSync(trace, 'utf8')));
    one.child.kill();
    await one.within();
    assert.equal((await run(['export', trace, '-o', file])).code, 0);
    const page = start(['view', file, '--no-open']);
    assert.equal((await fetch(await addressIn(page))).status, 200);
    page.child.kill();
    await page.within();
    assert.match((await run(['replay', file, '--', ...server])).out, /(\d+)\/\1 matched/);
    assert.match((await run(['mock', file], CALL)).out, /"id":1/);
  },

  'a path with a space is shown so that it can be pasted into cmd': async () => {
    const server = join(home, 'a b.cjs');
    writeFileSync(server, ECHO);
    const file = join(home, 'spaces.json');
    await run(['--session-file', file, '--', 'node', server], CALL);
    const [, shown] = /Try: (mcpreel replay .*) \(as recorded\)/.exec((await run(['replay', file])).err) ?? [];
    const printer = join(installed, 'printer.cjs');
    writeFileSync(printer, 'console.log(JSON.stringify(process.argv.slice(2)))');
    const line = shown.replace('mcpreel', `node ${printer}`);
    const typed = spawn(process.env.ComSpec, ['/d', '/s', '/c', `"${line}"`], { windowsVerbatimArguments: true });
    let out = '';
    for await (const text of typed.stdout) out += text;
    assert.deepEqual(JSON.parse(out), ['replay', file, '--', 'node', server]);
  },

  'a trace in several files keeps the last ones': async () => {
    const trace = join(home, 'parts.jsonl');
    const { out } = await run(
      ['--trace-file', trace, '--max-bytes', '64k', '--max-files', '2', '--', 'node', '-e', ECHO],
      CALL.repeat(1000),
    );
    assert.equal(out, CALL.repeat(1000));
    assert.equal(readdirSync(home).filter((name) => name.startsWith('parts.')).length, 2);
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
    endAll();
    reason = `: ${String(error.message).split('\n').slice(0, 6).join(' ')}`;
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  process.stdout.write(`${JSON.stringify({ name: `${name}${reason}`, seconds, result })}\n`);
}
rmSync(home, { recursive: true, force: true, maxRetries: 5 });
process.exit();
