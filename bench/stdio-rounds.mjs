import { spawn } from 'node:child_process';
import { DIRECT, PASS_THROUGH } from './contestant-names.mjs';
import { Figure, interleave } from './interleave.mjs';
import { median } from './measure.mjs';
import { IN_FLIGHT } from './stdio-client.mjs';
import { SERVERS } from './stdio-contestants.mjs';
import { converse } from './stdio-conversation.mjs';

/** Runs every contestant in turn, round after round, and returns rows of ratios to the pass-through. */
export async function compareStdio(contestants, { rounds, calls, folder }) {
  const [perCall, throughSdk, throughBare, missing] = [new Figure(), new Figure(), new Figure(), new Figure()];
  await interleave(contestants, rounds, async (name, contestant) => {
    const share = contestant.share ?? 1;
    const ofSdk = await converse(contestant, SERVERS.sdk, folder, async (client) => {
      perCall.add(name, median(await client.callInTurn(calls)));
      throughSdk.add(name, await throughput(client, Math.ceil(5 * calls * share)));
    });
    const ofBare = await converse(contestant, SERVERS.bare, folder, async (client) => {
      throughBare.add(name, await throughput(client, Math.ceil(20 * calls * share)));
    });
    if (ofSdk.missing !== undefined) missing.add(name, ofSdk.missing + ofBare.missing);
  });
  const direct = [1000 * perCall.median(DIRECT), 1000 * throughSdk.median(DIRECT), 1000 * throughBare.median(DIRECT)];
  const [us, sdk, bare] = direct.map((value) => value.toFixed(0));
  console.log(`For orientation, direct: ${us} µs a call; ${sdk} calls a second of the SDK server, ${bare} of the echo`);
  return [
    { title: 'SDK server: p50 of a call', figures: perCall.ratiosTo(PASS_THROUGH), atMost: 1.2 },
    {
      title: `SDK server: calls a second, ${IN_FLIGHT} in flight`,
      figures: throughSdk.ratiosTo(PASS_THROUGH),
      atLeast: 0.8,
    },
    {
      title: `bare echo: calls a second, ${IN_FLIGHT} in flight`,
      figures: throughBare.ratiosTo(PASS_THROUGH),
      atLeast: 0.6,
    },
    { title: 'messages missing from the recording', figures: missing.sums(), atMost: 0, digits: 0 },
  ];
}

/** Compares the time that each contestant adds until the first response, in units of an empty Node program. */
export async function compareFirstAnswers(contestants, { rounds, folder }) {
  const times = new Figure();
  const emptyNode = 'node -e 0';
  await interleave(contestants, rounds, async (name, contestant) => {
    if (name === DIRECT) times.add(emptyNode, await timeOfEmptyNode());
    const { firstAnswerMs } = await converse(contestant, SERVERS.bare, folder, () => {});
    times.add(name, firstAnswerMs);
  });
  const added = Object.keys(contestants).map((name) => [
    name,
    (times.median(name) - times.median(DIRECT)) / times.median(emptyNode),
  ]);
  return {
    title: `first response: time added, relative to \`${emptyNode}\``,
    figures: Object.fromEntries(added),
    atMost: 1.4,
  };
}

async function throughput(client, calls) {
  return calls / (await client.callPipelined(calls));
}

async function timeOfEmptyNode() {
  const started = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  return performance.now() - started;
}
