// Runs the official conformance suite directly and through mcpreel, and exits with 1 unless both runs agree.
// node test/conformance/run.mjs [--revision 2026-07-28] [--only SUBSTRING] [--proxy mcpreel|pass-through|mock]
import { parseArgs } from 'node:util';
import { installPeers } from '../../scripts/peers.mjs';
import { compareRuns, THROUGH } from './equality.mjs';
import { REVISIONS, scenariosOf } from './suite.mjs';

const COLUMNS = ['scenarios', 'checks', 'passed', 'failed', 'messages'];

// Exiting on a signal also stops the started programs.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

try {
  process.exitCode = await main(options());
} catch (error) {
  process.stderr.write(`conformance: ${error.message}\n`);
  process.exitCode = 1;
}

function options() {
  const { revision, only, proxy } = parseArgs({
    options: { revision: { type: 'string' }, only: { type: 'string' }, proxy: { type: 'string', default: 'mcpreel' } },
  }).values;
  if (revision !== undefined && !REVISIONS.includes(revision)) {
    throw new Error(`No such revision: ${revision}. There are ${REVISIONS.join(' and ')}.`);
  }
  if (!(proxy in THROUGH)) throw new Error(`No such proxy: ${proxy}. There are ${Object.keys(THROUGH).join(' and ')}.`);
  return { revisions: revision === undefined ? REVISIONS : [revision], only, proxy };
}

async function main({ revisions, only, proxy }) {
  await installPeers();
  const chosen = revisions.filter((revision) => scenariosOf(revision, only).length > 0);
  if (chosen.length === 0) throw new Error(`No scenario has ${only} in its name`);
  say(row('revision', 'run', COLUMNS));
  let wrong = 0;
  for (const revision of chosen) {
    const { direct, proxied, differences, faults } = await compareRuns({ revision, only, proxy });
    const verdict = differences.length === 0 ? 'equal' : `${differences.length} differences`;
    say(row(revision, 'direct', figures(direct)));
    say(row(revision, proxy, figures(proxied), verdict));
    for (const line of [...differences, ...faults]) say(`  ${line}`);
    wrong += differences.length + faults.length;
  }
  return wrong === 0 ? 0 : 1;
}

function figures(of) {
  return COLUMNS.map((name) => String(of[name] ?? ''));
}

function row(revision, name, cells, verdict = '') {
  return `${revision.padEnd(12)}${name.padEnd(14)}${cells.map((cell) => cell.padStart(10)).join('')}  ${verdict}`.trimEnd();
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
