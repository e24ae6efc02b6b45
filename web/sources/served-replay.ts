/** What the user must know before a call is replayed. */
export interface ServedReplayPlan {
  readonly method: string;
  readonly name?: string | undefined;
  /** The server and its location, in a few lines. */
  readonly where: readonly string[];
}

/** The result of a replayed call. */
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

/** The state of a replayed call: waiting for confirmation, running, done or failed. */
export type ServedReplay =
  | { readonly stage: 'asking'; readonly plan: ServedReplayPlan; run(): void }
  | { readonly stage: 'running'; readonly plan: ServedReplayPlan; cancel(): void }
  | { readonly stage: 'done'; readonly plan: ServedReplayPlan; readonly outcome: ServedReplayOutcome }
  | { readonly stage: 'failed'; readonly why: string };
