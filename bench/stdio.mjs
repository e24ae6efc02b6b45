// Measures the cost of mcpreel between a client and a stdio server, as ratios to a ten-line pass-through in the same
// run.
//
//   npm run bench:stdio                                        everything, medians of nine interleaved rounds
//   npm run bench:stdio -- --rounds 1 --calls 100              a quick look
//   npm run bench:stdio -- --beside ../old/dist/mcpreel.cjs     another build in the same rounds
//   npm run bench:stdio -- --memory 1000000                    only memory, over a million messages
//   npm run bench:stdio -- --screen                            with a terminal UI attached, compared with none
//   npm run bench:stdio -- --keys                              key presses in a terminal UI with 100,000 messages
import { MCPREEL } from './contestant-names.mjs';
import { readFlags } from './flags.mjs';
import { inTemporaryFolder } from './measure.mjs';
import { report } from './report.mjs';
import { IN_FLIGHT } from './stdio-client.mjs';
import { PEERS, stdioContestants } from './stdio-contestants.mjs';
import { measureKeys } from './stdio-keys.mjs';
import { comparePeakMemory, watchMemory } from './stdio-memory.mjs';
import { compareFirstAnswers, compareStdio } from './stdio-rounds.mjs';
import { compareScreen, PIPELINED } from './stdio-screen.mjs';

const given = readFlags({
  rounds: 9,
  calls: 1000,
  beside: String,
  memory: Number,
  screen: Boolean,
  keys: Boolean,
  json: String,
});

// Processes and files are cleaned up when this process exits, which the default signal handling would skip.
const met = await inTemporaryFolder(chosen());
process.exitCode = met ? 0 : 1;

function chosen() {
  if (given.keys) return pressKeys;
  if (given.screen) return compareWithScreen;
  return given.memory === undefined ? compare : watch;
}

async function compare(folder) {
  const { rounds, calls, about } = asked();
  const contestants = await stdioContestants(given);
  console.log(about);
  const rows = [
    ...(await compareStdio(contestants, { rounds, calls, folder })),
    await compareFirstAnswers(contestants, { rounds: Math.ceil((rounds * 5) / 3), folder }),
    await comparePeakMemory({ few: 20 * calls, many: 200 * calls, folder }),
  ];
  const names = Object.keys(contestants);
  return report({ benchmark: 'stdio', about, names, limited: MCPREEL, peers: PEERS, rows }, given.json);
}

async function compareWithScreen(folder) {
  const { rounds, calls, about } = asked(PIPELINED);
  console.log(about);
  const found = await compareScreen({ rounds, calls, folder });
  return report({ benchmark: 'screen', about, ...found }, given.json);
}

async function watch(folder) {
  const found = await watchMemory(given.memory, folder);
  const about = `${given.memory} messages, ${IN_FLIGHT} calls in flight`;
  return report({ benchmark: 'memory', about, ...found }, given.json);
}

async function pressKeys(folder) {
  return report({ benchmark: 'keys', ...(await measureKeys(folder)) }, given.json);
}

function asked(pipelined = { sdk: 5, bare: 20 }) {
  const { rounds, calls } = given;
  const { sdk, bare } = pipelined;
  const about = `${calls} calls in turn, ${sdk * calls} and ${bare * calls} pipelined, medians of ${rounds} interleaved rounds`;
  return { rounds, calls, about };
}
