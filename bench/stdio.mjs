// What mcpreel costs between a client and a stdio server, as ratios to a ten-line pass-through in the same run.
//
//   npm run bench:stdio                                        everything, medians of nine interleaved rounds
//   npm run bench:stdio -- --rounds 1 --calls 100              a quick look
//   npm run bench:stdio -- --beside ../old/dist/mcpreel.cjs     another build in the same rounds
//   npm run bench:stdio -- --memory 1000000                    memory alone, over a million messages
//   npm run bench:stdio -- --screen                            with a screen attached beside without one
//   npm run bench:stdio -- --keys                              a key on a screen with 100,000 messages
import { parseArgs } from 'node:util';
import { inTemporaryFolder } from './measure.mjs';
import { report } from './report.mjs';
import { MCPREEL, PEERS, stdioContestants } from './stdio-contestants.mjs';
import { measureKeys } from './stdio-keys.mjs';
import { comparePeakMemory, watchMemory } from './stdio-memory.mjs';
import { compareFirstAnswers, compareStdio } from './stdio-rounds.mjs';
import { compareScreen, PIPELINED } from './stdio-screen.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    calls: { type: 'string', default: '1000' },
    beside: { type: 'string' },
    memory: { type: 'string' },
    screen: { type: 'boolean', default: false },
    keys: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});

// What runs and what lies about is cleared away when the process exits, which a signal alone would not let it do.
const met = await inTemporaryFolder(chosen());
process.exitCode = met ? 0 : 1;

function chosen() {
  if (values.keys) return pressKeys;
  if (values.screen) return compareWithScreen;
  return values.memory === undefined ? compare : watch;
}

async function compare(folder) {
  const { rounds, calls, about } = asked();
  const contestants = await stdioContestants(values);
  console.log(about);
  const rows = [
    ...(await compareStdio(contestants, { rounds, calls, folder })),
    await compareFirstAnswers(contestants, { rounds: Math.ceil((rounds * 5) / 3), folder }),
    await comparePeakMemory({ few: 20 * calls, many: 200 * calls, folder }),
  ];
  const names = Object.keys(contestants);
  return report({ benchmark: 'stdio', about, names, limited: MCPREEL, peers: PEERS, rows }, values.json);
}

async function compareWithScreen(folder) {
  const { rounds, calls, about } = asked(PIPELINED);
  console.log(about);
  const found = await compareScreen({ rounds, calls, folder });
  return report({ benchmark: 'screen', about, ...found }, values.json);
}

async function watch(folder) {
  const messages = Number(values.memory);
  const found = await watchMemory(messages, folder);
  return report({ benchmark: 'memory', about: `${messages} messages, 64 calls in flight`, ...found }, values.json);
}

async function pressKeys(folder) {
  return report({ benchmark: 'keys', ...(await measureKeys(folder)) }, values.json);
}

function asked(pipelined = { sdk: 5, bare: 20 }) {
  const rounds = Number(values.rounds);
  const calls = Number(values.calls);
  const { sdk, bare } = pipelined;
  const about = `${calls} calls in turn, ${sdk * calls} and ${bare * calls} pipelined, medians of ${rounds} interleaved rounds`;
  return { rounds, calls, about };
}
