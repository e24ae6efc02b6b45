// Starts and stops the listening programs that are measured.
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** The maximum time for a program to exit. */
const PATIENCE_MS = 10_000;

/**
 * Starts a program and resolves when it prints its address. Without a pattern for that, resolves when it has started.
 */
export function start([program, ...args], listening, env = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise((resolve) => child.once('close', resolve)).finally(() => process.off('exit', kill));
  const stop = async () => {
    child.kill('SIGINT');
    const late = setTimeout(kill, PATIENCE_MS);
    await ended;
    clearTimeout(late);
  };
  return new Promise((resolve, reject) => {
    let said = '';
    const look = (chunk) => {
      said = (said + chunk).slice(-4000);
      const found = listening?.exec(said);
      if (found) resolve({ url: found[1], stop });
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('error', reject);
    if (listening === undefined) child.once('spawn', () => resolve({ stop }));
    ended.then((code) => reject(new Error(`It ended with ${code}. ${said}`)), reject);
  });
}

/** Starts a program that takes a port and prints nothing when it listens. */
export async function startOnPort(commandFor, path) {
  const port = await freePort();
  const started = await start(commandFor(port));
  await reachable(port);
  return { ...started, url: `http://127.0.0.1:${port}${path}` };
}

async function reachable(port) {
  for (let tries = 0; tries < 100; tries++) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port }, () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('close', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await delay(100);
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
