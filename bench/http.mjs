// Measures the time that mcpreel adds between an HTTP client and server, as a ratio to a minimal pass-through.
//
//   npm run bench:http                                        everything, medians of nine interleaved rounds
//   npm run bench:http -- --rounds 1 --calls 200              a quick look
//   npm run bench:http -- --beside ../old/dist/mcpreel.cjs     another build in the same rounds
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DIRECT, MCPREEL, PASS_THROUGH } from './contestant-names.mjs';
import { readFlags } from './flags.mjs';
import { callOver } from './http-client.mjs';
import { httpContestants, startEcho } from './http-contestants.mjs';
import { Figure, interleave } from './interleave.mjs';
import { inTemporaryFolder, median } from './measure.mjs';
import { missingIn } from './missing-messages.mjs';
import { report } from './report.mjs';

const given = readFlags({ rounds: 9, calls: 2000, beside: String, json: String });

const ANSWERS = ['json', 'sse'];
const CONNECTIONS = [1, 32];
const WARM_UP_CALLS = 6000;

const met = await inTemporaryFolder(compare);
process.exitCode = met ? 0 : 1;

async function compare(folder) {
  const { rounds, calls } = given;
  const contestants = httpContestants(given);
  const echo = await startEcho();
  const figures = new Map(
    ANSWERS.flatMap((answer) => CONNECTIONS.map((count) => [`${answer} ${count}`, new Figure()])),
  );
  const missing = new Figure();
  const about = `${calls} calls by 1 and ${4 * calls} by 32 connections, medians of ${rounds} interleaved rounds`;
  console.log(about);
  let run = 0;
  await interleave(contestants, rounds, async (name, contestant) => {
    for (const answer of ANSWERS) {
      const place = join(folder, String(run++));
      mkdirSync(place);
      const { url, stop, trace } = await contestant.start(echo.url.replace('json', answer), place);
      let called = 0;
      try {
        // Sessions are long, so the compilation at the start is not part of the cost of a call.
        await callOver(url, { connections: 32, calls: WARM_UP_CALLS });
        called += WARM_UP_CALLS;
        for (const connections of CONNECTIONS) {
          const count = connections === 1 ? calls : 4 * calls;
          called += count;
          const times = await callOver(url, { connections, calls: count });
          figures.get(`${answer} ${connections}`).add(name, median(times));
        }
      } finally {
        await stop();
      }
      if (trace !== undefined) missing.add(name, await missingIn(trace, { sent: called, received: called }));
    }
  });
  await echo.stop();
  for (const [title, figure] of figures) {
    console.log(`For orientation, ${title}: ${(1000 * figure.median(DIRECT)).toFixed(0)} µs direct`);
  }
  const rows = [...figures].map(([title, figure]) => ({
    title: `added p50: ${titleOf(title)}`,
    figures: figure.addedRatiosTo(PASS_THROUGH, DIRECT),
    atMost: 1.5,
  }));
  rows.push({ title: 'messages missing from the recording', figures: missing.sums(), atMost: 0, digits: 0 });
  return report({ benchmark: 'http', about, names: Object.keys(contestants), limited: MCPREEL, rows }, given.json);
}

function titleOf(name) {
  const [answer, connections] = name.split(' ');
  return `${answer === 'sse' ? 'event streams' : 'JSON'}, ${connections} at a time`;
}
