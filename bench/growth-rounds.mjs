import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DIRECT, MCPREEL, PASS_THROUGH } from './contestant-names.mjs';
import { callOver } from './http-client.mjs';
import { httpContestants, startEcho } from './http-contestants.mjs';
import { Figure, interleave } from './interleave.mjs';
import { measure, median } from './measure.mjs';
import { watchPeak } from './peak-memory.mjs';
import { here, mcpreel, node } from './programs.mjs';
import { writeTrace } from './sample-files.mjs';
import { passThrough, mcpreel as recorder, SERVERS } from './stdio-contestants.mjs';
import { converse } from './stdio-conversation.mjs';

/**
 * At MANY messages or more, one round is accurate enough and slow enough. Below FEW messages, extra rounds cost no
 * time.
 */
const MANY = 1_000_000;
const FEW = 1000;
const ROUNDS_OF_FEW = 9;
const MAX_CALLS = 300;
const MIN_CALLS = 20;

const BETWEEN = { [PASS_THROUGH]: passThrough, [MCPREEL]: recorder };

/** Ratios to the pass-through of the time per recorded message and of the peak memory. */
export async function growthOfRecording(sizes, { rounds, folder }) {
  const lines = { 'recording: time per message': [], 'recording: peak memory': [] };
  for (const messages of sizes) {
    const [time, memory] = [new Figure(), new Figure()];
    await interleave(BETWEEN, roundsFor(messages, rounds), async (name, contestant) => {
      const peak = watchPeak(join(folder, 'memory'));
      const talk = async (client) => time.add(name, await client.callPipelined(messages / 2));
      const { missing = 0 } = await converse(contestant, SERVERS.bare, folder, talk, peak);
      if (missing > 0) throw new Error(`${missing} messages are missing from a recording of ${messages}.`);
      memory.add(name, peak.megabytes());
    });
    lines['recording: time per message'].push(time.ratiosTo(PASS_THROUGH)[MCPREEL]);
    lines['recording: peak memory'].push(memory.ratiosTo(PASS_THROUGH)[MCPREEL]);
    console.log(`${messages} messages: mcpreel held ${memory.median(MCPREEL).toFixed(0)} MB at most`);
  }
  return lines;
}

/** Ratios to a program that parses each line of the same trace, for the whole run time. */
export async function growthOfFiles(sizes, { rounds, folder }) {
  const [parse, statistics, convert] = ['parse', 'inspect --stats', 'export -f json'];
  const lines = { [statistics]: [], [convert]: [] };
  for (const messages of sizes) {
    const trace = join(folder, `${messages}.jsonl`);
    writeTrace(trace, messages);
    const contestants = {
      [parse]: [node, here('parse-lines.mjs'), trace],
      [statistics]: [node, mcpreel, 'inspect', '--stats', trace],
      [convert]: [node, mcpreel, 'export', trace, '-f', 'json', '--no-redact'],
    };
    const time = new Figure();
    await interleave(contestants, rounds, async (name, command) => time.add(name, (await measure(command)).ms));
    const ratios = time.ratiosTo(parse);
    for (const [name, line] of Object.entries(lines)) line.push(ratios[name]);
  }
  return lines;
}

/** Ratios to the pass-through of the median call that echoes a text of this many kilobytes. */
export async function growthOfPayloads(sizes, { rounds, folder }) {
  const lines = { 'a call over stdio': [], 'a call over HTTP': [] };
  const echo = await startEcho();
  let run = 0;
  for (const kilobytes of sizes) {
    const text = 'words and '.repeat(100 * kilobytes);
    const calls = Math.max(MIN_CALLS, Math.min(MAX_CALLS, Math.round(2000 / kilobytes)));
    const [stdio, http] = [new Figure(), new Figure()];
    await interleave(BETWEEN, rounds, async (name, contestant) => {
      const talk = async (client) => stdio.add(name, median(await client.callInTurn(calls)));
      await converse(contestant, SERVERS.bare, folder, talk, { text });
    });
    const { [DIRECT]: _, ...contestants } = httpContestants();
    await interleave(contestants, rounds, async (name, contestant) => {
      const place = join(folder, `http-${run++}`);
      mkdirSync(place);
      const { url, stop } = await contestant.start(echo.url, place);
      try {
        http.add(name, median(await callOver(url, { connections: 1, calls, text })));
      } finally {
        await stop();
      }
    });
    lines['a call over stdio'].push(stdio.ratiosTo(PASS_THROUGH)[MCPREEL]);
    lines['a call over HTTP'].push(http.ratiosTo(PASS_THROUGH)[MCPREEL]);
  }
  await echo.stop();
  return lines;
}

function roundsFor(messages, rounds) {
  if (messages >= MANY) return 1;
  return messages < FEW ? Math.max(rounds, ROUNDS_OF_FEW) : rounds;
}
