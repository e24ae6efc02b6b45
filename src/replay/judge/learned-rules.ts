import { compareAnswers } from '../../analysis/diff/compare-answers.ts';
import { IgnoreRules } from '../../analysis/diff/ignore-rules.ts';
import type { Profile } from '../../analysis/import/profile.ts';
import type { ReplayResult } from './replay-result.ts';

/** What several replays to one server showed. */
export interface LearnedRules {
  /** Places that vary by themselves, as rules for what to ignore. */
  readonly rules: readonly string[];
  /** Messages whose answers vary as a whole, which no rule can tell. */
  readonly unruly: readonly ReplayResult[];
}

/**
 * Finds what differs between replays to the same server: places at which an answer was not the recorded one at least
 * once, and at which two replays did not agree.
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

/** The results without the differences that rules cover. */
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

/** Whether replays found the same at a place: questions and notifications of the server are in no answer. */
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

/** Several elements of one list that vary stand for all of them. */
function generalised(rules: readonly string[]): string[] {
  const distinct = [...new Set(rules)];
  const counts = new Map<string, number>();
  for (const rule of distinct) counts.set(generalRule(rule), (counts.get(generalRule(rule)) ?? 0) + 1);
  return [...new Set(distinct.map((rule) => ((counts.get(generalRule(rule)) ?? 0) > 1 ? generalRule(rule) : rule)))];
}

function generalRule(rule: string): string {
  return rule.replaceAll(/\[\d+\]/g, '[*]');
}
