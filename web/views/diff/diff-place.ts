import { PROFILES } from '../../../src/analysis/import/profile.ts';
import type { DiffChoice } from '../../model/diff/diff-facts.ts';
import { shellQuote } from '../../parts/shell-quote.ts';
import type { PageState } from '../../state/page.ts';
import type { PageAddress } from '../../state/place.ts';

/** The comparison in a link: the lanes, the profile and the ignore rules. */
export function choiceIn({ more }: PageAddress): DiffChoice {
  return {
    a: laneIn(more.a, 0),
    b: laneIn(more.b, 1),
    profile: PROFILES.find((profile) => profile === more.compare) ?? 'semantic',
    rules: (more.ignore ?? '').split('\n').filter((rule) => rule.trim() !== ''),
  };
}

/** Changes the comparison; "back" undoes a change of its rules. */
export function changeChoice(page: PageState, change: Partial<DiffChoice>): void {
  const { a, b, profile, rules } = { ...choiceIn(page.place.value), ...change };
  const { a: _a, b: _b, compare: _compare, ignore: _ignore, ...others } = page.place.value.more;
  page.go({
    more: {
      ...others,
      ...(a !== 0 && { a: String(a) }),
      ...(b !== 1 && { b: String(b) }),
      ...(profile !== 'semantic' && { compare: profile }),
      ...(rules.length > 0 && { ignore: [...new Set(rules)].join('\n') }),
    },
  });
}

function laneIn(text: string | undefined, usual: number): number {
  return text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : usual;
}

/** The command-line flags for the same comparison. */
export function flagsFor({ profile, rules }: DiffChoice): string {
  const flags = rules.map((rule) => `--ignore ${shellQuote(rule)}`);
  return [...(profile === 'semantic' ? [] : [`--compare ${profile}`]), ...flags].join(' ');
}
