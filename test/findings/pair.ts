import type { FindingOptions } from '../../src/analysis/findings/finder.ts';
import type { FindingCode } from '../../src/analysis/findings/finding.ts';
import type { RecordedSession } from '../../src/model/session.ts';

export interface Sample {
  readonly title: string;
  readonly session: RecordedSession;
  readonly options?: Omit<FindingOptions, 'ended'>;
}

/**
 * For every finding code: sessions that must show it, each with a part of the message, and similar ones that must not.
 */
export interface Pair {
  readonly shows: readonly (Sample & { readonly says: RegExp; readonly at?: readonly number[] })[];
  readonly hides: readonly Sample[];
}

export type Pairs<Code extends FindingCode = FindingCode> = Readonly<Record<Code, Pair>>;
