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
import { MCPREEL, stdioContestants } from './stdio-contestants.mjs';
import { measureKeys } from './stdio-keys.mjs';
import { comparePeakMemory, watchMemory } from './stdio-memory.mjs';
import { compareFirstAnswers, compareStdio } from './stdio-rounds.mjs';
import { compareScreen } from './stdio-screen.mjs';
import { printTable } from './table.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    calls: { type: 'string', default: '1000' },
    beside: { type: 'string' },
    memory: { type: 'string' },
    screen: { type: 'boolean', default: false },
    keys: { type: 'boolean', default: false },
  },
});

// What runs and what lies about is cleared away when the process exits, which a signal alone would not let it do.
const met = await inTemporaryFolder(chosen());
process.exitCode = met ? 0 : 1;

function chosen() {
  if (values.keys) return measureKeys;
  if (values.screen) return compareWithScreen;
  return values.memory === undefined ? compare : watch;
}

async function compare(folder) {
  const rounds = Number(values.rounds);
  const calls = Number(values.calls);
  const contestants = await stdioContestants(values);
  console.log(
    `${calls} calls in turn, ${5 * calls} and ${20 * calls} pipelined, medians of ${rounds} interleaved rounds`,
  );
  const rows = [
    ...(await compareStdio(contestants, { rounds, calls, folder })),
    await compareFirstAnswers(contestants, { rounds: Math.ceil((rounds * 5) / 3), folder }),
    await comparePeakMemory({ few: 20 * calls, many: 200 * calls, folder }),
  ];
  return printTable(Object.keys(contestants), rows, MCPREEL);
}

async function compareWithScreen(folder) {
  const rounds = Number(values.rounds);
  const calls = Number(values.calls);
  console.log(
    `${calls} calls in turn, ${5 * calls} and ${20 * calls} pipelined, medians of ${rounds} interleaved rounds`,
  );
  const { names, limited, rows } = await compareScreen({ rounds, calls, folder });
  return printTable(names, rows, limited);
}

function watch(folder) {
  return watchMemory(Number(values.memory), folder);
}
