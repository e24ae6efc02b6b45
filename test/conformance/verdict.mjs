// Compares two runs of the suite, and checks one run for faults. Times, ports and session ids differ between runs; the
// comparison covers the checks of a scenario, their counts and their statuses.
import { UNIMPLEMENTED } from './unimplemented.mjs';

const FINE = new Set(['SUCCESS', 'INFO', 'SKIPPED']);

/** The differences between two runs: one line per scenario, check and status whose counts differ. */
export function differences(direct, proxied) {
  const [before, after] = [countsOf(direct), countsOf(proxied)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key) !== after.get(key))
    .sort()
    .map((key) => `${key}: ${before.get(key) ?? 0} times direct, ${after.get(key) ?? 0} times through the proxy`);
}

/**
 * Faults of a direct run: scenarios that did not run, failed though implemented, or passed though listed as
 * unimplemented.
 */
export function faultsOf(direct, scenarios) {
  return scenarios.flatMap((scenario) => {
    const checks = direct.get(scenario);
    if (checks === undefined) return [`${scenario} did not run`];
    const bad = checks.filter(({ status }) => !FINE.has(status));
    if (!UNIMPLEMENTED.has(scenario)) return bad.map((check) => `${scenario} ${describe(check)}`);
    return bad.length === 0 ? [`${scenario} passes, but is listed as not implemented`] : [];
  });
}

/** The numbers of scenarios and checks, by status. */
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
