// Runs the torture scenarios against mcpreel, and exits with 1 if anything was lost.
//
//   npm run torture                          everything, with a soak of half an hour
//   npm run torture -- --quick               everything on a small scale, in a few minutes
//   npm run torture -- --only kill,soak      only these scenarios
//   npm run torture -- --only kill --kills 200 --seed 7
//   npm run torture -- --only soak --minutes 5
//   npm run torture -- --json figures.json   writes the results, with more detail than the table, to a file
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/run.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { printTable, verdictOf } from './support/outcome-table.mjs';
import { randomFrom } from './support/random.mjs';
import { leftProcesses, setDist } from './support/reel.mjs';
import { runScenario } from './support/run-scenario.mjs';
import { undoAll, undoLater } from './support/undo.mjs';

// Exiting on a signal also stops the started programs.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

const FLAGS = {
  quick: { type: 'boolean', default: false },
  only: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'string' },
  kills: { type: 'string' },
  minutes: { type: 'string' },
};

try {
  process.exitCode = (await main(options())) ? 0 : 1;
} catch (error) {
  process.stderr.write(`torture: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  undoAll();
}
// Unused connections may take a while to close.
process.exit();

function options() {
  const { values } = parseArgs({ options: FLAGS });
  for (const name of ['seed', 'kills', 'minutes']) {
    if (values[name] !== undefined && !(Number(values[name]) >= 0)) throw new Error(`--${name} takes a number.`);
  }
  return values;
}

async function main(values) {
  const scenarios = chosen(values.only);
  const seed = Number(values.seed ?? Date.now() % 1e6);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpreel-torture-')));
  // Killed processes may still be writing there.
  const removeFolder = undoLater(() =>
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  );
  setDist(copyOfDist(folder));
  say(`seed ${seed}, ${values.quick ? 'quick' : 'full'}`);
  const results = [];
  for (const scenario of scenarios) {
    const startedAt = performance.now();
    const own = mkdtempSync(join(folder, `${scenario.name}-`));
    const outcome = await runScenario(scenario, {
      sizes: sizesOf(scenario, values),
      folder: own,
      random: randomFrom(seed),
      note: (text) => say(`  ${scenario.name}: ${text}`),
    });
    const result = { name: scenario.name, ...outcome, seconds: (performance.now() - startedAt) / 1000 };
    results.push(result);
    say(`${verdictOf(result).padEnd(7)} ${scenario.name}, ${result.seconds.toFixed(0)} s`);
    for (const fault of result.faults) say(`  ${fault}`);
  }
  const left = await leftAfterAWhile();
  const ok = results.every((result) => result.ok) && left.length === 0;
  say('');
  printTable(results, say);
  if (left.length > 0) say(`Left behind: processes ${left.join(', ')}`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ seed, ok, results }, undefined, 2)}\n`);
  if (ok) removeFolder();
  else keepForALook(folder, results);
  return ok;
}

function chosen(only) {
  if (only === undefined) return SCENARIOS;
  return only.split(',').map((name) => {
    const scenario = SCENARIOS.find((candidate) => candidate.name === name);
    if (scenario !== undefined) return scenario;
    throw new Error(`No such scenario: ${name}. There are ${SCENARIOS.map((known) => known.name).join(', ')}.`);
  });
}

function sizesOf({ sizes }, { quick, kills, minutes }) {
  const wanted = { ...sizes[quick ? 'quick' : 'full'] };
  if ('kills' in wanted && kills !== undefined) wanted.kills = Number(kills);
  if ('seconds' in wanted && minutes !== undefined) wanted.seconds = 60 * Number(minutes);
  return wanted;
}

/** Copies the build, so that a rebuild during the run does not affect it. */
function copyOfDist(folder) {
  const copy = join(folder, 'build', 'dist');
  mkdirSync(join(folder, 'build'));
  cpSync(join(root, 'dist'), copy, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'build', 'node_modules'));
  return copy;
}

/** A server whose mcpreel was killed may need a moment to notice. */
async function leftAfterAWhile() {
  for (let tries = 0; tries < 50 && leftProcesses().length > 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return leftProcesses();
}

/** Keeps the files of failed scenarios for inspection. */
function keepForALook(folder, results) {
  const names = results.filter((result) => !result.ok).map(({ name }) => name);
  for (const own of readdirSync(folder)) {
    if (!names.some((name) => own.startsWith(`${name}-`))) rmSync(join(folder, own), { recursive: true, force: true });
  }
  const kept = `${folder}-kept`;
  renameSync(folder, kept);
  say(`What is left of it is in ${kept}`);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
