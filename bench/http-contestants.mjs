import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { installPeers, peer, peerNode } from '../scripts/peers.mjs';
import { root } from '../scripts/run.mjs';

const node = process.execPath;
const here = import.meta.dirname;

/** The names that the results are compared by. */
export const DIRECT = 'direct';
export const PASS_THROUGH = 'pass-through';
export const MCPREEL = 'mcpreel';

/** The server behind all of them. */
export function startEcho() {
  return start([node, join(here, 'http-echo.mjs')], /Listening on (\S+)/);
}

/**
 * What may stand between client and server. `start` begins it in front of the server; where it is another tool that
 * cannot stand in front of an address, in front of a program that does the same.
 */
export async function httpContestants({ beside } = {}) {
  return {
    [DIRECT]: { start: async (target) => ({ url: target, stop: async () => {} }) },
    [PASS_THROUGH]: {
      start: (target) => start([node, join(here, 'http-pass-through.mjs'), target], /Listening on (\S+)/),
    },
    [MCPREEL]: { start: recordWith(join(root, 'dist', 'mcpreel.cjs')) },
    ...(beside !== undefined && { 'other build': { start: recordWith(beside) } }),
    ...((await hasPeers()) && { 'mcp-proxy': { start: startMcpProxy, isServer: true, mayFail: true } }),
  };
}

function recordWith(program) {
  return async (target, folder) => {
    const trace = join(folder, 'trace.jsonl');
    const flags = [
      '--transport',
      'streamable-http',
      '--target-url',
      target,
      '--listen-port',
      '0',
      '--trace-file',
      trace,
    ];
    const started = await start([node, program, 'proxy', 'start', ...flags], /mcpreel: Listening on (\S+)/);
    return { ...started, trace };
  };
}

/** It starts a stdio server itself, and has a path of its own. */
async function startMcpProxy() {
  const port = await freePort();
  const flags = ['--port', String(port), '--host', '127.0.0.1', '--server', 'stream'];
  const server = [node, join(here, 'echo-server.mjs')];
  const started = await start([peerNode, peer('mcp-proxy/dist/bin/mcp-proxy.mjs'), ...flags, '--', ...server], /(?:)/);
  await reachable(port);
  return { ...started, url: `http://127.0.0.1:${port}/mcp` };
}

async function hasPeers() {
  try {
    await installPeers();
    return true;
  } catch (error) {
    console.log(`Without mcp-proxy. ${error.message}`);
    return false;
  }
}

/** Starts a program and resolves when it says where it listens. */
function start([program, ...args], listening) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise((resolve) => child.once('close', resolve)).finally(() => process.off('exit', kill));
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
  };
  return new Promise((resolve, reject) => {
    let said = '';
    const look = (chunk) => {
      said = (said + chunk).slice(-4000);
      const found = listening.exec(said);
      if (found) resolve({ url: found[1], stop });
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('error', reject);
    ended.then((code) => reject(new Error(`It ended with ${code}. ${said}`)), reject);
  });
}

/** It says nothing when it listens. */
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
