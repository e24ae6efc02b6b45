// What two runs of the suite say about each other, and one about the fixture. Times, ports and session ids differ from
// run to run; what counts is which checks a scenario made, how often, and how each ended.
import { UNIMPLEMENTED } from './unimplemented.mjs';

const FINE = new Set(['SUCCESS', 'INFO', 'SKIPPED']);

/** What differs between two runs, a line for each scenario, check and status that is not there as often in both. */
export function differences(direct, proxied) {
  const [before, after] = [countsOf(direct), countsOf(proxied)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key) !== after.get(key))
    .sort()
    .map((key) => `${key}: ${before.get(key) ?? 0} times direct, ${after.get(key) ?? 0} times through the proxy`);
}

/** What is wrong with a direct run: scenarios that did not run, failed though implemented, or work though listed as not. */
export function faultsOf(direct, scenarios) {
  return scenarios.flatMap((scenario) => {
    const checks = direct.get(scenario);
    if (checks === undefined) return [`${scenario} did not run`];
    const bad = checks.filter(({ status }) => !FINE.has(status));
    if (!UNIMPLEMENTED.has(scenario)) return bad.map((check) => `${scenario} ${describe(check)}`);
    return bad.length === 0 ? [`${scenario} passes, but is listed as not implemented`] : [];
  });
}

/** How many scenarios and checks there were, and how they ended. */
export function figuresOf(results) {
  const all = [...results.values()].flat();
  const ending = (status) => all.filter((check) => check.status === status).length;
  return { scenarios: results.size, checks: all.length, passed: ending('SUCCESS'), failed: ending('FAILURE') };
}

function countsOf(results) {
  const counts = new Map();
  for (const [scenario, checks] of results) {
    for (const { id, status } of checks) {
      const key = `${scenario} ${id} ${status}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

function describe({ id, status, errorMessage }) {
  return `${id} ${status}${errorMessage ? `: ${errorMessage}` : ''}`;
}
