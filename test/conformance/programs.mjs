// Programs that listen on a port: the fixture server and the proxies in front of it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/run.mjs';

const node = process.execPath;
const FIXTURE = join(root, 'test', 'servers', 'conformance', 'main.mjs');
const MCPREEL = join(root, 'dist', 'mcpreel.cjs');
const PASS_THROUGH = join(root, 'bench', 'http-pass-through.mjs');

/** How long a program may take to start listening, or to stop. */
const PATIENCE_MS = 20_000;
const LISTENING = /(?:^|Listening on )(http:\/\/127\.0\.0\.1:\d+\/[^\s,]*)/m;

/** Starts the server that implements the suite's scenarios. */
export function startFixture() {
  return start([node, FIXTURE, 'until-eof']);
}

/** Starts mcpreel in front of a server, with all of its files in this folder. */
export function startMcpreel(target, folder) {
  const trace = join(folder, 'trace.jsonl');
  const flags = ['--transport', 'streamable-http', '--target-url', target, '--listen-port', '0', '--trace-file', trace];
  return start([node, MCPREEL, 'proxy', 'start', ...flags], {
    cwd: folder,
    env: { ...process.env, MCPREEL_HOME: join(folder, 'home') },
  });
}

/** Starts mcpreel as a mock of the recorded server. */
export function startMock(recording, folder) {
  const flags = ['--listen-transport', 'streamable-http', '--listen-port', '0'];
  return start([node, MCPREEL, 'mock', recording, ...flags], {
    cwd: folder,
    env: { ...process.env, MCPREEL_HOME: join(folder, 'home') },
  });
}

/** Starts the smallest possible HTTP proxy in front of a server. */
export function startPassThrough(target) {
  return start([node, PASS_THROUGH, target]);
}

/** Runs a program until it exits and returns its output. */
export async function runToEnd(command, options) {
  const { ended, said } = launch(command, options);
  await ended;
  return said();
}

/** Starts a program and waits for the URL that it reports. */
function start(command, options) {
  const { child, ended, said } = launch(command, options);
  return new Promise((resolve, reject) => {
    const fail = (what) => {
      child.kill('SIGKILL');
      reject(new Error(`${command[1]} ${what}\n${said()}`));
    };
    const late = setTimeout(() => fail('does not listen'), PATIENCE_MS);
    const look = () => {
      const url = LISTENING.exec(said())?.[1];
      if (url === undefined) return;
      clearTimeout(late);
      resolve({ url, stop: () => stop({ child, ended, said }) });
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    void ended.then((status) => {
      clearTimeout(late);
      fail(`ended with ${status}`);
    });
  });
}

/** Stops a program with a signal, and returns its exit status and output. */
async function stop({ child, ended, said }) {
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const status = await ended;
  clearTimeout(late);
  return { status, output: said() };
}

/** Starts a program that is killed when this process exits. */
function launch([program, ...args], options = {}) {
  const child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  const keep = (chunk) => {
    output += chunk;
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise((resolve) => {
    const end = (status) => {
      process.off('exit', kill);
      resolve(status);
    };
    child.once('error', (error) => end(error.message));
    child.once('close', (code, signal) => end(signal ?? code));
  });
  return { child, ended, said: () => output };
}
