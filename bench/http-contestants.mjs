import { join } from 'node:path';
import { DIRECT, MCPREEL, PASS_THROUGH } from './contestant-names.mjs';
import { start } from './listening.mjs';
import { here, mcpreel, node } from './programs.mjs';

/** Starts the server that all contestants forward to. */
export function startEcho() {
  return start([node, here('http-echo.mjs')], /Listening on (\S+)/);
}

/** The contestants between client and server. `start` starts one in front of the server. */
export function httpContestants({ beside } = {}) {
  return {
    [DIRECT]: { start: async (target) => ({ url: target, stop: async () => {} }) },
    [PASS_THROUGH]: {
      start: (target) => start([node, here('http-pass-through.mjs'), target], /Listening on (\S+)/),
    },
    [MCPREEL]: { start: recordWith(mcpreel) },
    ...(beside !== undefined && { 'other build': { start: recordWith(beside) } }),
  };
}

function recordWith(program) {
  return async (target, folder) => {
    const trace = join(folder, 'trace.jsonl');
    const flags = ['--transport', 'streamable-http', '--target-url', target, '--listen-port', '0'];
    const command = [node, program, 'proxy', 'start', ...flags, '--trace-file', trace];
    return { ...(await start(command, /mcpreel: Listening on (\S+)/, { MCPREEL_HOME: folder })), trace };
  };
}
