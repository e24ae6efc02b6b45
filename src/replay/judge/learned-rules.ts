import { compareAnswers } from '../../analysis/diff/compare-answers.ts';
import { IgnoreRules } from '../../analysis/diff/ignore-rules.ts';
import type { Profile } from '../../analysis/import/profile.ts';
import type { ReplayResult } from './replay-result.ts';

/** What repeated replays to the same server showed. */
export interface LearnedRules {
  /** Ignore rules for the paths that vary between replays. */
  readonly rules: readonly string[];
  /** Messages whose whole response varies, which no rule can express. */
  readonly unruly: readonly ReplayResult[];
}

/**
 * Derives ignore rules from repeated replays to the same server. A path gets a rule if it differed from the recording
 * at least once and the replays disagree about it.
 */
export function learnRules(runs: readonly (readonly ReplayResult[])[], profile: Profile): LearnedRules {
  const rules: string[] = [];
  const unruly: ReplayResult[] = [];
  for (const [index, first] of (runs[0] ?? []).entries()) {
    const all = runs.flatMap((run) => run[index] ?? []);
    const differing = new Set(all.flatMap(({ differences }) => differences.map(({ path }) => path)));
    const varying = new Set(all.slice(1).flatMap((other) => pathsBetween(first, other, profile)));
    for (const path of [...differing].filter((candidate) => varying.has(candidate) || !agree(all, candidate))) {
      if (path === '$') unruly.push(first);
      else rules.push(ruleFor(first, path));
    }
  }
  return { rules: generalised(rules), unruly };
}

/** The results without the differences that the rules cover. */
export function withoutIgnored(results: readonly ReplayResult[], rules: readonly string[]): ReplayResult[] {
  const covers = new Set(rules);
  return results.map((result) => {
    const isCovered = ({ path }: { readonly path: string }): boolean =>
      covers.has(ruleFor(result, path)) || covers.has(generalRule(ruleFor(result, path)));
    const differences = result.differences.filter((difference) => !isCovered(difference));
    const isMatch = result.verdict === 'changed' && differences.length === 0;
    const { step, sent, response, error, durationMs, recorded, accepted } = result;
    const verdict = isMatch ? 'match' : result.verdict;
    return { step, verdict, sent, response, error, durationMs, recorded, differences, accepted };
  });
}

/**
 * Whether all replays have the same value at a path. This covers server requests and notifications, which are not part
 * of a response.
 */
function agree(all: readonly ReplayResult[], place: string): boolean {
  const found = all.map(({ differences }) =>
    differences.flatMap(({ path, replayed }) => (path === place ? [replayed ?? ''] : [])).join('\n'),
  );
  return new Set(found).size === 1;
}

function pathsBetween(a: ReplayResult, b: ReplayResult, profile: Profile): string[] {
  if (a.response === undefined || b.response === undefined) return [];
  const rules = { profile, ignored: new IgnoreRules([]).pathsFor(undefined) };
  return compareAnswers(a.response, b.response, rules).map(({ path }) => path);
}

function ruleFor({ step: { method, name } }: ReplayResult, path: string): string {
  if (method !== 'tools/call' || name === undefined || name.includes('"')) return path;
  return /\s/.test(name) ? `tool:"${name}" ${path}` : `tool:${name} ${path}`;
}

/** If several elements of one list vary, one rule with `[*]` covers them all. */
function generalised(rules: readonly string[]): string[] {
  const distinct = [...new Set(rules)];
  const counts = new Map<string, number>();
  for (const rule of distinct) counts.set(generalRule(rule), (counts.get(generalRule(rule)) ?? 0) + 1);
  return [...new Set(distinct.map((rule) => ((counts.get(generalRule(rule)) ?? 0) > 1 ? generalRule(rule) : rule)))];
}

function generalRule(rule: string): string {
  return rule.replaceAll(/\[\d+\]/g, '[*]');
}
