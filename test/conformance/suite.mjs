// The official conformance suite: its scenarios for a revision, and its results for a server.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { peer, peerNode } from '../../scripts/peers.mjs';
import { runToEnd } from './programs.mjs';

const SUITE = '@modelcontextprotocol/conformance';
const RUN_MS = 180_000;

/** The revisions that have a frozen list of scenarios. */
export const REVISIONS = ['2025-11-25', '2026-07-28'];

/** The server scenarios of a revision whose names contain `only`: the scored ones and those that are only reported. */
export function scenariosOf(revision, only = '') {
  const text = readFileSync(peer(`${SUITE}/requirements/${revision}.yaml`), 'utf8');
  const required = /^server:\n((?: .*\n|#.*\n|\n)*)/m.exec(text)?.[1] ?? '';
  const scored = [...required.matchAll(/^ {2}- (\S+)/gm)];
  const reported = [...text.matchAll(/- scenario: (\S+)\n +leg: server\n/g)];
  return [...scored, ...reported].map(([, name]) => name).filter((name) => name.includes(only));
}

/**
 * Runs scenarios against a server and returns the checks of each by name. A scenario without an entry did not run.
 * Without names it runs the whole revision, which needs one start instead of one per scenario.
 */
export async function runSuite({ url, revision, only, folder }) {
  mkdirSync(folder, { recursive: true });
  const selections =
    only === undefined
      ? [['--requirements', revision]]
      : only.map((scenario) => ['--scenario', scenario, '--spec-version', revision, '--force']);
  const suite = [peerNode, peer(`${SUITE}/dist/index.js`), 'server', '--url', url, '--output-dir', folder];
  let output = '';
  for (const selection of selections) {
    output += await runToEnd([...suite, ...selection], { cwd: folder, timeout: RUN_MS });
  }
  const results = readResults(folder);
  if (results.size === 0) throw new Error(`The suite did not run:\n${output}`);
  return results;
}

/** The suite writes one folder per scenario, named for the scenario and the time. */
function readResults(folder) {
  const results = new Map();
  for (const name of readdirSync(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    const file = join(folder, name, 'checks.json');
    if (scenario !== undefined && existsSync(file)) results.set(scenario, JSON.parse(readFileSync(file, 'utf8')));
  }
  return results;
}
