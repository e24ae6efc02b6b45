// Measures the time of a call between a client and a server with different transports, relative to a minimal bridge.
//
//   npm run bench:bridge                                      everything, medians of five interleaved rounds
//   npm run bench:bridge -- --rounds 1 --calls 200            a quick look
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BARE, bridgesToHttp, bridgesToStdio, PEERS } from './bridge-contestants.mjs';
import { MCPREEL } from './contestant-names.mjs';
import { readFlags } from './flags.mjs';
import { callOver, openSession } from './http-client.mjs';
import { startEcho } from './http-contestants.mjs';
import { Figure, interleave } from './interleave.mjs';
import { inTemporaryFolder, median } from './measure.mjs';
import { missingIn } from './missing-messages.mjs';
import { report } from './report.mjs';
import { IN_FLIGHT } from './stdio-client.mjs';
import { converse } from './stdio-conversation.mjs';

const given = readFlags({ rounds: 5, calls: 1000, json: String });

const CONNECTIONS = 32;

const met = await inTemporaryFolder(compare);
process.exitCode = met ? 0 : 1;

async function compare(folder) {
  const asked = { rounds: given.rounds, calls: given.calls, folder };
  const about = `${asked.calls} calls in turn, ${4 * asked.calls} at once, medians of ${asked.rounds} interleaved rounds`;
  console.log(about);
  const missing = new Figure();
  const rows = [
    ...(await compareToStdio(asked, missing)),
    ...(await compareToHttp(asked, missing)),
    { title: 'messages missing from the recordings', figures: missing.sums(), atMost: 0, digits: 0 },
  ];
  return report(
    { benchmark: 'bridge', about, names: [BARE, MCPREEL, ...PEERS], limited: MCPREEL, peers: PEERS, rows },
    given.json,
  );
}

async function compareToStdio({ rounds, calls, folder }, missing) {
  const [inTurn, atOnce] = [new Figure(), new Figure()];
  let run = 0;
  await interleave(await bridgesToStdio(), rounds, async (name, contestant) => {
    const place = join(folder, String(run++));
    mkdirSync(place);
    const { url, stop, trace } = await contestant.start(place);
    try {
      const headers = await openSession(url);
      inTurn.add(name, median(await callOver(url, { connections: 1, calls, headers })));
      const started = performance.now();
      await callOver(url, { connections: CONNECTIONS, calls: 4 * calls, headers });
      atOnce.add(name, 1 / (performance.now() - started));
    } finally {
      await stop();
    }
    if (trace === undefined) return;
    // The client also sent initialize and notifications/initialized.
    missing.add(name, await missingIn(trace, { sent: 5 * calls + 2, received: 5 * calls + 1 }));
  });
  console.log(
    `For orientation, HTTP to stdio: ${(1000 * inTurn.median(BARE)).toFixed(0)} µs a call by the bare bridge`,
  );
  return [
    { title: 'HTTP client, stdio server: p50 of a call', figures: inTurn.ratiosTo(BARE), less: true },
    { title: `HTTP client, stdio server: calls a second, ${CONNECTIONS} at once`, figures: atOnce.ratiosTo(BARE) },
  ];
}

async function compareToHttp({ rounds, calls, folder }, missing) {
  const [inTurn, atOnce] = [new Figure(), new Figure()];
  const echo = await startEcho();
  try {
    await interleave(await bridgesToHttp(echo.url), rounds, async (name, contestant) => {
      const ended = await converse(contestant, [], folder, async (client) => {
        inTurn.add(name, median(await client.callInTurn(calls)));
        atOnce.add(name, 1 / (await client.callPipelined(4 * calls)));
      });
      if (ended.missing !== undefined) missing.add(name, ended.missing);
    });
  } finally {
    await echo.stop();
  }
  console.log(
    `For orientation, stdio to HTTP: ${(1000 * inTurn.median(BARE)).toFixed(0)} µs a call by the bare bridge`,
  );
  return [
    { title: 'stdio client, HTTP server: p50 of a call', figures: inTurn.ratiosTo(BARE), less: true },
    { title: `stdio client, HTTP server: calls a second, ${IN_FLIGHT} in flight`, figures: atOnce.ratiosTo(BARE) },
  ];
}
