import type { ReplayQuestion } from '../../src/present/replay-question.ts';

/** What the user must know before a call is replayed. */
export interface ServedReplayPlan {
  readonly method: string;
  readonly name?: string | undefined;
  readonly question: ReplayQuestion;
  /** Allows one run of what the question shows. */
  readonly nonce: string;
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
  | { readonly stage: 'asking'; readonly plan: ServedReplayPlan; run(typed: string): void }
  | { readonly stage: 'running'; readonly plan: ServedReplayPlan; cancel(): void }
  | { readonly stage: 'done'; readonly plan: ServedReplayPlan; readonly outcome: ServedReplayOutcome }
  | { readonly stage: 'failed'; readonly why: string };
