import type { Direction, MessageEntry } from '../../model/entry.ts';

/**
 * How a call went.
 *
 * `error` is a JSON-RPC error or a result with `isError`; `late` one that was answered after it was cancelled; `stream` a
 * subscription or another request that stays open by nature.
 */
export type CallStatus = 'ok' | 'error' | 'pending' | 'cancelled' | 'late' | 'stream';

/** A request with everything that belongs to it. */
export interface Call {
  /** The request; of a chain of retries the first. */
  readonly request: MessageEntry;
  readonly method: string;
  /** The tool, prompt or resource that it names. */
  readonly name: string | undefined;
  readonly direction: Direction;
  readonly conversation: number;
  readonly status: CallStatus;
  /** Its answer; of a chain the last. */
  readonly answer: MessageEntry | undefined;
  /** From the request to the answer, in milliseconds; of a chain from the first to the last. */
  readonly durationMs: number | undefined;
  /** The part of that time in which a person was asked. */
  readonly humanMs: number;
  /** The answers that wanted input and the retries that gave it, in order. */
  readonly rounds: readonly { readonly answer: MessageEntry; readonly retry: MessageEntry }[];
  /** Sequence numbers of what was said for it while it ran: progress, log lines, requests of the other side. */
  readonly progress: readonly number[];
  readonly logs: readonly number[];
  readonly nested: readonly number[];
  /** The sequence of the message that cancelled it. */
  readonly cancelledBy: number | undefined;
  /** The sequence of a later request that took its id while it was open. */
  readonly supersededBy: number | undefined;
  /** The task that it began, by the id that the server gave it. */
  readonly task: string | undefined;
  /** How that task ended, where it was seen to. The answer is the one that named the task. */
  readonly taskOutcome: TaskOutcome | undefined;
  /** The call that this one serves: the origin of a task, for `tasks/get` and the like. */
  readonly origin: number | undefined;
  /** Whether it only asks which revisions a server speaks. */
  readonly isProbe: boolean;
  /** Characters of the request's params and of the answer's result or error, all rounds together. */
  readonly size: { readonly sent: number; readonly received: number };
}

/** How a task ended, which message told, and how long after the request that began it. */
export interface TaskOutcome {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly sequence: number;
  readonly afterMs: number;
}

/** Answers that answer nothing: an unknown or missing id, or one that was answered before. */
export interface OrphanAnswer {
  readonly message: MessageEntry;
  readonly why: 'unknown-id' | 'no-id' | 'answered-before';
}

/** What a tracker knows after one entry more. */
export interface TrackedCall {
  /** Calls that are over, in the order in which they ended. */
  readonly calls: readonly Call[];
  readonly orphans: readonly OrphanAnswer[];
}
