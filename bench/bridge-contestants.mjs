import { join } from 'node:path';
import { MCPREEL } from './contestant-names.mjs';
import { start, startOnPort } from './listening.mjs';
import { installPeers, peer } from './peers.mjs';
import { here, mcpreel, node } from './programs.mjs';

/** The names by which results are compared. */
export const BARE = 'bare bridge';
export const PEERS = ['mcp-proxy', 'supergateway', 'mcp-remote'];

const server = [node, here('echo-server.mjs')];
const supergateway = [node, peer('supergateway/dist/index.js'), '--logLevel', 'none'];
const LISTENING = /Listening on (\S+)/;

/** Bridges from clients over Streamable HTTP to the SDK's echo server on stdio. */
export async function bridgesToStdio() {
  return {
    [BARE]: { start: () => start([node, here('bridge-to-stdio.mjs'), ...server], LISTENING) },
    [MCPREEL]: { start: recordProgram },
    ...((await installPeers()) && {
      'mcp-proxy': { start: startMcpProxy, mayFail: true },
      supergateway: { start: startSupergateway, mayFail: true },
    }),
  };
}

/** Bridges from a client on stdio to a server over Streamable HTTP: the command line of each. */
export async function bridgesToHttp(url) {
  return {
    [BARE]: { prepare: () => ({ command: [node, here('bridge-to-http.mjs'), url] }), endsBy: 'SIGTERM' },
    [MCPREEL]: { prepare: (_, folder) => recordAddress(url, folder) },
    ...((await installPeers()) && {
      supergateway: {
        prepare: () => ({ command: [...supergateway, '--streamableHttp', url] }),
        endsBy: 'SIGTERM',
        mayFail: true,
      },
      'mcp-remote': {
        prepare: () => ({ command: [node, peer('mcp-remote/dist/proxy.js'), url, '--transport', 'http-only'] }),
        endsBy: 'SIGTERM',
        mayFail: true,
      },
    }),
  };
}

async function recordProgram(folder) {
  const trace = join(folder, 'trace.jsonl');
  const flags = ['--listen-transport', 'streamable-http', '--listen-port', '0', '--trace-file', trace];
  const command = [node, mcpreel, 'record', ...flags, '--', ...server];
  const started = await start(command, LISTENING, { MCPREEL_HOME: folder });
  return { ...started, trace };
}

function recordAddress(url, folder) {
  const trace = join(folder, 'trace.jsonl');
  const flags = ['--listen-transport', 'stdio', '--target-url', url, '--trace-file', trace];
  return { command: [node, mcpreel, 'record', ...flags], trace };
}

function startMcpProxy() {
  const flags = ['--host', '127.0.0.1', '--server', 'stream'];
  const program = [node, peer('mcp-proxy/dist/bin/mcp-proxy.mjs')];
  return startOnPort((port) => [...program, ...flags, '--port', String(port), '--', ...server], '/mcp');
}

function startSupergateway() {
  const flags = ['--outputTransport', 'streamableHttp', '--stateful', '--stdio', server.map(quoted).join(' ')];
  return startOnPort((port) => [...supergateway, ...flags, '--port', String(port)], '/mcp');
}

/** This tool passes the command line to a shell. */
function quoted(word) {
  return `"${word}"`;
}
