// Torture scenario: mcpreel is killed with SIGKILL during busy sessions, over every transport, at random times.
import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Judgement } from './support/judgement.mjs';
import { talkUntilKilled } from './support/killed-lanes.mjs';
import { judgeLanes } from './support/killed-lanes-judgement.mjs';
import { converseUntilKilled } from './support/killed-stdio.mjs';
import { judge } from './support/killed-stdio-judgement.mjs';
import { between, randomFrom } from './support/random.mjs';
import { undoLater } from './support/undo.mjs';
import { WAYS } from './support/ways.mjs';

const AT_ONCE = 2;
/** One stdio session in this many is also exported by the command, which takes longer than everything else. */
const EXPORTED_EVERY = 20;
/** One session in this many is killed during startup or shortly after. */
const EARLY_EVERY = 8;
const LATEST_EARLY_MS = 600;
/** In memory if possible: a disk that is slow for a moment must not look like a loss. */
const PLACE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export const kill = {
  name: 'kill',
  injects: 'kill -9 at random moments, on every transport',
  sizes: { full: { kills: 1000 }, quick: { kills: 50 }, least: { kills: 8 } },

  async run({ sizes: { kills }, folder, random, note }) {
    const seed = between(random, 0, 1e6);
    const place = mkdtempSync(join(PLACE, 'mcpreel-torture-'));
    const remove = undoLater(() => rmSync(place, { recursive: true, force: true }));
    const results = [];
    let next = 0;
    const work = async () => {
      for (let run = next++; run < kills; run = next++) {
        results.push(await killOne(run, seed, { place, folder }));
        if (results.length % 50 === 0) note(`${results.length} of ${kills} kills`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    remove();
    return outcomeOf(results);
  },
};

/** Kills one session. If a check fails, its files are kept for inspection. */
async function killOne(run, seed, { place, folder }) {
  const random = randomFrom(seed * 100_003 + run);
  const ways = Object.keys(WAYS);
  const isEarly = run % EARLY_EVERY === EARLY_EVERY - 1;
  const plan = {
    folder: mkdtempSync(join(place, 'kill-')),
    way: ways[run % ways.length],
    rotates: run % 3 === 0,
    saves: run % 2 === 0,
    exports: run % (EXPORTED_EVERY * ways.length) === 0,
    inFlight: between(random, 1, 16),
    killAfter: isEarly ? undefined : between(random, 1, 500),
    killAtMs: isEarly ? random() * LATEST_EARLY_MS : undefined,
    spinMs: random() ** 3 * 2,
    random,
  };
  const result = await judged(plan).catch((error) => ({ ...NOTHING, faults: [error.message] }));
  if (result.faults.length + result.lost > 0) {
    const filter = (path) => !statSync(path).isSocket();
    cpSync(plan.folder, join(folder, basename(plan.folder)), { recursive: true, filter });
  }
  rmSync(plan.folder, { recursive: true, force: true });
  const name = `${plan.way}, run ${run} of ${seed} (${basename(plan.folder)})`;
  const faults = result.faults.map((fault) => `${name}: ${fault}`);
  return { ...result, way: plan.way, isEarly, faults };
}

const NOTHING = { lost: 0, settled: 0, messages: 0, missing: 0, tornLines: 0, parts: 0, faults: [] };

async function judged(plan) {
  // On stdio the order of all messages is known, so that more can be checked.
  if (plan.way === 'stdio' && plan.killAtMs === undefined) return judge(plan, await converseUntilKilled(plan));
  const { others, ...result } = await judgeLanes(plan, await talkUntilKilled(plan));
  return { ...result, faults: [...result.faults, ...others] };
}

function outcomeOf(results) {
  const judgement = new Judgement();
  const sum = (number) => results.reduce((total, result) => total + number(result), 0);
  const most = results.reduce((largest, { missing }) => Math.max(largest, missing), 0);
  for (const { faults, lost } of results) {
    judgement.lose(lost);
    for (const fault of faults)
      judgement.claim('every trace opens and holds what was said, in its order', false, fault);
  }
  judgement.claim('every trace opens and holds what was said, in its order', true);
  const inTheAir = `nothing is missing but what was in the air, at most ${most} messages`;
  judgement.claim(inTheAir, judgement.lost === 0, `${judgement.lost} others`);
  const ways = Object.keys(WAYS).map((way) => `${way} ${results.filter((result) => result.way === way).length}×`);
  const figures = {
    kills: results.length,
    early: sum(({ isEarly }) => Number(isEarly)),
    messages: sum(({ messages }) => messages),
    settled: sum(({ settled }) => settled),
    recovered: sum(({ recovered = 0 }) => recovered),
    withSomethingInTheAir: sum(({ missing }) => Number(missing > 0)),
    mostInTheAir: most,
    tornLines: sum(({ tornLines }) => tornLines),
    inSeveralParts: sum(({ parts }) => Number(parts > 1)),
    savedMeanwhile: sum(({ saved = false }) => Number(saved)),
    cutInASave: sum(({ leftovers = 0 }) => Number(leftovers > 0)),
    exported: sum(({ exported = false }) => Number(exported)),
  };
  return judgement.outcome(`${results.length} kills: ${ways.join(', ')}`, { figures });
}
