// Attacks the built program from every position in docs/threat-model.md: runs test/security and every test that the page
// names, with all cases and with new inputs for properties, and prints what became of each attack of the page. Exits
// with 1 if one worked or could not be tried. `npm test` runs the same tests with a sample of the cases.
//
//   npm run attack                     everything
//   npm run attack -- floods schemas   only test files whose path contains one of these
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root, tool } from './run.mjs';

const PROPERTY_RUNS = '300';
/** The whole takes three minutes on two idle cores. */
const MAX_MINUTES = 30;
const WIDTH = 100;

const rows = attacks();
const chosen = process.argv.slice(2);
const files = ['test/security/', ...new Set(rows.flatMap(({ tests }) => tests))];
const folder = mkdtempSync(join(tmpdir(), 'mcpreel-attack-'));
const report = join(folder, 'report.json');
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
const [program, ...args] = [...tool('vitest/vitest.mjs'), 'run', '--testTimeout', '300000', ...reporters];
const env = { ...process.env, MCPREEL_TEST_LONG: '1', MCPREEL_PROPERTY_RUNS: PROPERTY_RUNS };
const { status, error } = spawnSync(program, [...args, ...(chosen.length === 0 ? files : chosen)], {
  cwd: root,
  stdio: 'inherit',
  env,
  timeout: MAX_MINUTES * 60_000,
});
const results = existsSync(report) ? resultsIn(JSON.parse(readFileSync(report, 'utf8'))) : new Map();
rmSync(folder, { recursive: true, force: true });

const outcomes = rows.map((row) => ({ ...row, outcome: outcomeOf(row) })).filter(({ outcome }) => outcome !== '');
let position;
for (const row of outcomes) {
  if (row.position !== position) console.log(`\n${row.position}`);
  position = row.position;
  const attack = row.attack.length > WIDTH ? `${row.attack.slice(0, WIDTH - 1)}…` : row.attack;
  console.log(`  ${row.outcome.padEnd(12)} ${attack}`);
}
const worked = outcomes.filter(({ outcome }) => outcome.startsWith('FAILED')).length;
if (error !== undefined) console.log(`\nEnded after ${MAX_MINUTES} minutes: ${error.message}`);
console.log(`\n${outcomes.length} attacks, ${worked} with failed tests.`);
process.exitCode = status === 0 ? 0 : 1;

/** The attacks of the page that are defended, with their test files. */
function attacks() {
  const page = readFileSync(join(root, 'docs/threat-model.md'), 'utf8');
  return page
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| position'))
    .map((line) => line.slice(2, -2).split(' | '))
    .map(([position, attack, , cell = '']) => ({ position, attack, tests: testsIn(cell) }))
    .filter(({ tests }) => tests.length > 0);
}

function testsIn(cell) {
  return [...cell.matchAll(/`([\w/-]+)`/g)]
    .map(([, name]) => `${name.startsWith('src/') ? '' : 'test/'}${name}.test.ts`)
    .filter((path) => existsSync(join(root, path)));
}

/** How many tests of each file passed, failed and were skipped. */
function resultsIn({ testResults }) {
  return new Map(
    testResults.map(({ name, status, assertionResults }) => {
      const count = (...kinds) => assertionResults.filter((result) => kinds.includes(result.status)).length;
      // A file that cannot be loaded has no tests.
      const failed = count('failed') + (status === 'failed' && assertionResults.length === 0 ? 1 : 0);
      return [relative(root, name), { passed: count('passed'), failed, skipped: count('skipped', 'pending', 'todo') }];
    }),
  );
}

/** What became of an attack; empty if it was not chosen. */
function outcomeOf({ tests }) {
  const ran = tests.map((path) => results.get(path)).filter((result) => result !== undefined);
  const sum = (kind) => ran.reduce((total, result) => total + result[kind], 0);
  if (ran.length === 0) return chosen.length === 0 ? 'NOT TRIED' : '';
  if (sum('failed') > 0) return `FAILED ${sum('failed')}`;
  return sum('passed') === 0 ? 'skipped' : `held ${sum('passed')}${sum('skipped') > 0 ? ` -${sum('skipped')}` : ''}`;
}
