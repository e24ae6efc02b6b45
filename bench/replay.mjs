// Measures the time of a replay, as a ratio to a minimal client that sends the same messages and ignores the responses.
//
//   npm run bench:replay                                      medians of nine interleaved rounds
//   npm run bench:replay -- --rounds 1 --calls 2000           a quick look
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { readFlags } from './flags.mjs';
import { Figure, interleave } from './interleave.mjs';
import { inTemporaryFolder } from './measure.mjs';
import { here, mcpreel, node } from './programs.mjs';
import { report } from './report.mjs';
import { IN_FLIGHT } from './stdio-client.mjs';
import { talkTo } from './stdio-conversation.mjs';

const given = readFlags({ rounds: 9, calls: 10_000, json: String });

const BARE = 'bare client';
const REPLAY = 'mcpreel replay';
const LIMIT = 1.3;

const ROWS = [
  {
    title: `SDK server: ${IN_FLIGHT} calls in flight`,
    server: here('echo-server.mjs'),
    record: pipelined,
    atMost: LIMIT,
  },
  { title: 'SDK server: one call at a time', server: here('echo-server.mjs'), record: inTurn, atMost: LIMIT },
  { title: `bare echo: ${IN_FLIGHT} calls in flight`, server: here('bare-echo.mjs'), record: pipelined },
  { title: 'bare echo: one call at a time', server: here('bare-echo.mjs'), record: inTurn },
];

const met = await inTemporaryFolder(compare);
process.exitCode = met ? 0 : 1;

async function compare(folder) {
  const { rounds, calls } = given;
  const about = `${calls} calls, whole processes, medians of ${rounds} interleaved rounds`;
  console.log(about);
  const rows = [];
  for (const [index, { title, server, record, atMost }] of ROWS.entries()) {
    const trace = join(folder, `${index}.jsonl`);
    const recorder = [node, mcpreel, '--trace-file', trace, '--', node, server];
    await talkTo(recorder, folder, (client) => record(client, calls));
    const contestants = {
      [BARE]: [here('replay-bare.mjs'), trace, node, server],
      [REPLAY]: [mcpreel, 'replay', trace, '--', node, server],
    };
    const ms = new Figure();
    await interleave(contestants, rounds, async (name, args) => ms.add(name, await timeOf(args, folder)));
    console.log(`For orientation: ${(ms.median(BARE) / 1000).toFixed(2)} s of the bare client, ${title}`);
    rows.push({ title, figures: ms.ratiosTo(BARE), atMost });
  }
  return report({ benchmark: 'replay', about, names: [BARE, REPLAY], limited: REPLAY, rows }, given.json);
}

function pipelined(client, calls) {
  return client.callPipelined(calls);
}

function inTurn(client, calls) {
  return client.callInTurn(calls);
}

/** The time from the start of the program to its exit, which reports that every response was as recorded. */
async function timeOf(args, folder) {
  const nothing = openSync('/dev/null', 'w');
  const started = performance.now();
  const env = { ...process.env, MCPREEL_HOME: folder };
  const child = spawn(node, args, { env, stdio: ['ignore', nothing, 'inherit'] });
  const [code] = await once(child, 'exit');
  closeSync(nothing);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return performance.now() - started;
}
