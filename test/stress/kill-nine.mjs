// Kills mcpreel in the middle of busy conversations and judges what is left of each.
// node test/stress/kill-nine.mjs [kills] [seed]
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { converseUntilKilled } from './killed-conversation.mjs';
import { judge } from './killed-judgement.mjs';

const AT_ONCE = 2;
const NOTHING = { messages: 0, missing: 0, tornLines: 0, parts: 0, leftovers: 0, saved: false, exported: false };
/** One session in so many is exported by the command, which takes longer than all the rest. */
const EXPORTED_EVERY = 20;

/** Kills so many sessions, each at an instant that only the seed and the machine know. */
export async function killMany({ kills, seed }) {
  const judgements = [];
  let next = 0;
  const work = async () => {
    for (let run = next++; run < kills; run = next++) judgements.push(await killOne(run, seed));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return summaryOf(judgements);
}

async function killOne(run, seed) {
  const random = randomFrom(seed * 100_003 + run);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpreel-kill-')));
  const plan = {
    folder,
    rotates: run % 3 === 0,
    saves: run % 2 === 0,
    exports: run % EXPORTED_EVERY === 0,
    inFlight: 1 + Math.floor(random() * 16),
    killAfter: 1 + Math.floor(random() * 250),
    spinMs: random() ** 3 * 2,
    random,
  };
  const judgement = await converseUntilKilled(plan)
    .then((conversation) => judge(plan, conversation))
    .catch((error) => ({ ...NOTHING, faults: [error.message] }));
  // What is wrong is worth looking at.
  if (judgement.faults.length === 0) rmSync(folder, { recursive: true, force: true });
  return { ...judgement, faults: judgement.faults.map((fault) => `run ${run} of seed ${seed} (${folder}): ${fault}`) };
}

function summaryOf(judgements) {
  const sum = (number) => judgements.reduce((total, judgement) => total + number(judgement), 0);
  const most = (number) => judgements.reduce((largest, judgement) => Math.max(largest, number(judgement)), 0);
  return {
    kills: judgements.length,
    faults: judgements.flatMap(({ faults }) => faults),
    messages: sum(({ messages }) => messages),
    /** Sessions of which the very last messages had been passed on and were not yet recorded. */
    cutInATurn: sum(({ missing }) => Number(missing > 0)),
    mostMissing: most(({ missing }) => missing),
    tornLines: sum(({ tornLines }) => tornLines),
    inSeveralParts: sum(({ parts }) => Number(parts > 1)),
    savedMeanwhile: sum(({ saved }) => Number(saved)),
    cutInASave: sum(({ leftovers }) => Number(leftovers > 0)),
    exported: sum(({ exported }) => Number(exported)),
  };
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { faults, ...figures } = await killMany({
    kills: Number(process.argv[2] ?? 100),
    seed: Number(process.argv[3] ?? Date.now() % 1e6),
  });
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.stdout.write(`${JSON.stringify({ faults: faults.length, ...figures }, undefined, 2)}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
