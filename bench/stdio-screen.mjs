import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Figure, interleave } from './interleave.mjs';
import { median } from './measure.mjs';
import { IN_FLIGHT } from './stdio-client.mjs';
import { mcpreel, SERVERS } from './stdio-contestants.mjs';
import { converse } from './stdio-conversation.mjs';
import { ScreenTerminal } from './stdio-terminal.mjs';

const WITHOUT = 'no screen';
const AGAIN = 'no screen again';
const WITH = 'a screen';

/** Differences within the noise of one run. */
const ALIKE = { atLeast: 0.9, atMost: 1.1 };

/**
 * The number of pipelined calls, as a multiple of the sequential ones: enough for about a second, in which the terminal
 * UI draws.
 */
export const PIPELINED = { sdk: 10, bare: 60 };

/**
 * Compares mcpreel with a terminal UI attached, which follows and redraws, to mcpreel without one. The latter is
 * measured twice to show the noise. Returns rows of ratios.
 */
export async function compareScreen({ rounds, calls, folder }) {
  const [perCall, throughSdk, throughBare] = [new Figure(), new Figure(), new Figure()];
  const [work, missing] = [new Figure(), new Figure()];
  const contestants = { [WITHOUT]: { opens: false }, [AGAIN]: { opens: false }, [WITH]: { opens: true } };
  let painted = 0;
  await interleave(contestants, rounds, async (name, { opens }) => {
    const talkTo = async (server, talk) => {
      const { missing: lost } = await converse(mcpreel, server, folder, async (client) => {
        const screen = opens ? new ScreenTerminal(join(folder, 'conversation')) : undefined;
        try {
          await screen?.shows('● rec');
          const before = screen?.bytes ?? 0;
          await talk(client);
          painted += (screen?.bytes ?? 0) - before;
        } finally {
          await screen?.close();
        }
      });
      missing.add(name, lost);
    };
    await talkTo(SERVERS.sdk, async (client) => {
      perCall.add(name, median(await client.callInTurn(calls)));
      throughSdk.add(name, calls / (await client.callPipelined(PIPELINED.sdk * calls)));
    });
    await talkTo(SERVERS.bare, async (client) => {
      const before = ticksOf(client.pid);
      throughBare.add(name, calls / (await client.callPipelined(PIPELINED.bare * calls)));
      work.add(name, ticksOf(client.pid) - before);
    });
  });
  if (painted === 0) throw new Error('The screen has drawn nothing.');
  console.log(`The screen wrote ${Math.round(painted / 1000)} kB to its terminal while it was measured`);
  return {
    names: Object.keys(contestants),
    limited: WITH,
    rows: [
      { title: 'SDK server: p50 of a call', figures: perCall.ratiosTo(WITHOUT), atMost: ALIKE.atMost },
      {
        title: `SDK server: calls a second, ${IN_FLIGHT} in flight`,
        figures: throughSdk.ratiosTo(WITHOUT),
        atLeast: ALIKE.atLeast,
      },
      {
        title: `bare echo: calls a second, ${IN_FLIGHT} in flight`,
        figures: throughBare.ratiosTo(WITHOUT),
        atLeast: ALIKE.atLeast,
      },
      { title: 'bare echo: processor time of mcpreel', figures: work.ratiosTo(WITHOUT), atMost: ALIKE.atMost },
      { title: 'messages missing from the recording', figures: missing.sums(), atMost: 0, digits: 0 },
    ],
  };
}

/** The CPU time of a process, which is the most reliable value on a busy machine. */
function ticksOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
