import type { BothSides, SessionDiff } from '../../../src/analysis/diff/diff.ts';
import type { Profile } from '../../../src/analysis/import/profile.ts';

export type DiffSection = 'contract' | 'sequence' | 'values';

/** Which lanes are to be compared, and what counts. */
export interface DiffChoice {
  readonly a: number;
  readonly b: number;
  readonly profile: Profile;
  /** Places that are not to be compared, as `--ignore` takes them. */
  readonly rules: readonly string[];
}

/** What came of comparing two lanes. */
export interface DiffFacts {
  /** Counts the comparisons, so that who asked before knows whether to ask again. */
  readonly version: number;
  readonly counts: Readonly<Record<DiffSection, number>>;
  readonly breaking: number;
  /** How many calls were compared. */
  readonly calls: BothSides<number>;
  /** Why a rule cannot be used; nothing was compared then. */
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
