import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIRECT, MCPREEL, PASS_THROUGH } from './contestant-names.mjs';
import { installPeers, peer } from './peers.mjs';
import { mcpreel as build, here, node } from './programs.mjs';

const timeTravel = peer('mcp-time-travel/dist/cli.js');

const TIME_TRAVEL = 'mcp-time-travel';
export const PEERS = [TIME_TRAVEL];

export const SERVERS = {
  sdk: [node, here('echo-server.mjs')],
  bare: [node, here('bare-echo.mjs')],
};

/** The minimal program between client and server. */
export const passThrough = {
  prepare: (server, _folder, nodeFlags = []) => ({
    command: [node, ...nodeFlags, here('pass-through.mjs'), ...server],
  }),
};

/** The build of this checkout. */
export const mcpreel = { prepare: recordWith(build) };

/**
 * The contestants between client and server. `prepare` returns the command line that wraps a server, with its files in
 * a separate folder. For another tool, `share` is its fraction of the pipelined calls, if it is slow. `endsBy` is the
 * signal that ends it, if it ignores the end of its input. A tool that fails is left out of later rounds.
 */
export async function stdioContestants({ beside } = {}) {
  return {
    [DIRECT]: { prepare: (server) => ({ command: server }) },
    [PASS_THROUGH]: passThrough,
    [MCPREEL]: mcpreel,
    ...(beside !== undefined && { 'other build': { prepare: recordWith(beside) } }),
    ...((await installPeers()) && {
      [TIME_TRAVEL]: { prepare: recordWithTimeTravel, share: 0.1, endsBy: 'SIGTERM', mayFail: true },
    }),
  };
}

function recordWith(program) {
  return (server, folder, nodeFlags = []) => {
    const trace = join(folder, 'trace.jsonl');
    return { command: [node, ...nodeFlags, program, '--trace-file', trace, '--', ...server], trace };
  };
}

/** This tool reads the server's command from a client configuration file. */
function recordWithTimeTravel([command, ...args], folder) {
  const config = join(folder, 'mcp.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(config, JSON.stringify({ mcpServers: { echo: { command, args } } }));
  const flags = ['--server', 'echo', '--config', config, '--session', 'bench', '--output', folder];
  return { command: [node, timeTravel, 'record', ...flags] };
}
