/** What a person has to know before a call is made once more. */
export interface ServedReplayPlan {
  readonly method: string;
  readonly name?: string | undefined;
  /** Which server, and where, in a few lines. */
  readonly where: readonly string[];
}

/** What came of it. */
export interface ServedReplayOutcome {
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
export type ServedReplay =
  | { readonly stage: 'asking'; readonly plan: ServedReplayPlan; run(): void }
  | { readonly stage: 'running'; readonly plan: ServedReplayPlan; cancel(): void }
  | { readonly stage: 'done'; readonly plan: ServedReplayPlan; readonly outcome: ServedReplayOutcome }
  | { readonly stage: 'failed'; readonly why: string };
