import type { BothSides, SessionDiff } from '../../../src/analysis/diff/diff.ts';
import type { Profile } from '../../../src/analysis/import/profile.ts';

export type DiffSection = 'contract' | 'sequence' | 'values';

/** Which lanes to compare, and how. */
export interface DiffChoice {
  readonly a: number;
  readonly b: number;
  readonly profile: Profile;
  /** Paths to ignore, in the syntax of `--ignore`. */
  readonly rules: readonly string[];
}

/** The result of comparing two lanes. */
export interface DiffFacts {
  /** Counts the comparisons, so that a component knows when to fetch again. */
  readonly version: number;
  readonly counts: Readonly<Record<DiffSection, number>>;
  readonly breaking: number;
  /** The number of compared calls. */
  readonly calls: BothSides<number>;
  /** Why a rule is invalid; then nothing was compared. */
  readonly fault: string | undefined;
}

export function factsOfDiff({ contract, sequence, values, calls }: SessionDiff, version: number): DiffFacts {
  return {
    version,
    counts: { contract: contract.length, sequence: sequence.length, values: values.length },
    breaking: contract.filter(({ breaking }) => breaking).length,
    calls,
    fault: undefined,
  };
}
