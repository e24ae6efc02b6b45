// Measures how many calls per second a mock server answers, as a ratio to the fastest echo server built with the SDKs.
//
//   npm run bench:mock                                        medians of nine interleaved rounds
//   npm run bench:mock -- --rounds 1 --calls 2000             a quick look
import { join } from 'node:path';
import { readFlags } from './flags.mjs';
import { Figure, interleave } from './interleave.mjs';
import { inTemporaryFolder } from './measure.mjs';
import { here, mcpreel, node } from './programs.mjs';
import { report } from './report.mjs';
import { IN_FLIGHT } from './stdio-client.mjs';
import { talkTo } from './stdio-conversation.mjs';

const given = readFlags({ rounds: 9, calls: 10_000, json: String });

const MOCK = 'mcpreel mock';
const SERVERS = {
  'SDK v2': [node, here('echo-server.mjs')],
  'SDK v2, low level': [node, here('low-level-echo.mjs'), 'v2'],
  'SDK v1, low level': [node, here('low-level-echo.mjs'), 'v1'],
};

const met = await inTemporaryFolder(compare);
process.exitCode = met ? 0 : 1;

async function compare(folder) {
  const { rounds, calls } = given;
  const session = join(folder, 'session.json');
  await talkTo([node, mcpreel, '--session-file', session, '--', ...SERVERS['SDK v2']], folder, (client) =>
    client.callInTurn(1),
  );
  const contestants = { ...SERVERS, [MOCK]: [node, mcpreel, 'mock', session] };
  const perSecond = new Figure();
  const about = `${calls} calls, ${IN_FLIGHT} in flight, medians of ${rounds} interleaved rounds`;
  console.log(about);
  await interleave(contestants, rounds, async (name, command) => {
    await talkTo(command, folder, async (client) => {
      // The compilation at the start of a session is not part of the cost of a call.
      await client.callPipelined(calls);
      perSecond.add(name, (1000 * calls) / (await client.callPipelined(calls)));
    });
  });
  const [fastest] = Object.keys(SERVERS).toSorted((a, b) => perSecond.median(b) - perSecond.median(a));
  console.log(`For orientation: ${perSecond.median(fastest).toFixed(0)} calls a second of the fastest, ${fastest}`);
  const row = { title: `calls a second relative to ${fastest}`, figures: perSecond.ratiosTo(fastest), atLeast: 0.8 };
  return report({ benchmark: 'mock', about, names: Object.keys(contestants), limited: MOCK, rows: [row] }, given.json);
}
