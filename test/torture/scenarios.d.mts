export interface Outcome {
  /** What was done to mcpreel. */
  readonly injected: string;
  /** What held nevertheless. */
  readonly held: readonly string[];
  /** What did not. */
  readonly faults: readonly string[];
  /** How many messages passed and are neither recorded nor said to be missing. */
  readonly lost: number;
  readonly ok: boolean;
  /** Why it could not be done here. */
  readonly skipped?: string;
}

export interface Scenario {
  readonly name: string;
  readonly injects: string;
  readonly sizes: Readonly<Record<'full' | 'quick' | 'least', Readonly<Record<string, number>>>>;
  readonly run: (options: {
    readonly sizes: Readonly<Record<string, number>>;
    readonly folder: string;
    /** Numbers from 0 to 1. */
    readonly random: () => number;
    readonly note: (text: string) => void;
  }) => Promise<Outcome>;
}

export const SCENARIOS: readonly Scenario[];
