/** What a person has to know before a call is made once more. */
export interface ReplayPlan {
  readonly method: string;
  readonly name?: string | undefined;
  /** Which server, and where, in a few lines. */
  readonly where: readonly string[];
}

/** What came of it. */
export interface ReplayOutcome {
  readonly verdict: string;
  readonly durationMs?: number | undefined;
  readonly error?: string | undefined;
  readonly differences: readonly {
    readonly path: string;
    readonly recorded?: string | undefined;
    readonly replayed?: string | undefined;
  }[];
  readonly response?: string | undefined;
  readonly notes: readonly string[];
}

/** A call that is made once more: somebody is asked, it runs, it is done, or it could not be. */
export type Replay =
  | { readonly stage: 'asking'; readonly plan: ReplayPlan; run(): void }
  | { readonly stage: 'running'; readonly plan: ReplayPlan; cancel(): void }
  | { readonly stage: 'done'; readonly plan: ReplayPlan; readonly outcome: ReplayOutcome }
  | { readonly stage: 'failed'; readonly why: string };
