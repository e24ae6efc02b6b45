import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPeers, peer } from '../scripts/peers.mjs';
import { root } from '../scripts/run.mjs';

const node = process.execPath;
const passThrough = join(import.meta.dirname, 'pass-through.mjs');
const timeTravel = peer('mcp-time-travel/dist/cli.js');

/** The names that the results are compared by. */
export const DIRECT = 'direct';
export const PASS_THROUGH = 'pass-through';
export const MCPREEL = 'mcpreel';

export const SERVERS = {
  sdk: [node, join(import.meta.dirname, 'echo-server.mjs')],
  bare: [node, join(import.meta.dirname, 'bare-echo.mjs')],
};

/** The build of this checkout. */
export const mcpreel = { prepare: recordWith(join(root, 'dist', 'mcpreel.cjs')) };

/**
 * What may stand between client and server. `prepare` makes the command line in front of a server, with its files in a
 * folder of its own. Of another tool, `share` is the part of the pipelined calls that it makes where it is slow, and
 * `endsBy` the signal where it does not notice the end of its input; it is left out once it fails.
 */
export async function stdioContestants({ beside } = {}) {
  return {
    [DIRECT]: { prepare: (server) => ({ command: server }) },
    [PASS_THROUGH]: { prepare: (server) => ({ command: [node, passThrough, ...server] }) },
    [MCPREEL]: mcpreel,
    ...(beside !== undefined && { 'other build': { prepare: recordWith(beside) } }),
    ...((await peersAreThere()) && {
      'mcp-time-travel': { prepare: recordWithTimeTravel, share: 0.1, endsBy: 'SIGTERM', mayFail: true },
    }),
  };
}

function recordWith(program) {
  return (server, folder, nodeFlags = []) => {
    const trace = join(folder, 'trace.jsonl');
    return { command: [node, ...nodeFlags, program, '--trace-file', trace, '--', ...server], trace };
  };
}

/** It takes the server's command from a client's configuration file. */
function recordWithTimeTravel([command, ...args], folder) {
  const config = join(folder, 'mcp.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(config, JSON.stringify({ mcpServers: { echo: { command, args } } }));
  const flags = ['--server', 'echo', '--config', config, '--session', 'bench', '--output', folder];
  return { command: [node, timeTravel, 'record', ...flags] };
}

/** Without the other tools the rest can be measured all the same. */
async function peersAreThere() {
  try {
    await installPeers();
    return true;
  } catch (error) {
    console.log(`Without mcp-time-travel. ${error.message}`);
    return false;
  }
}
