import type { Direction, MessageEntry } from '../../model/entry.ts';

/**
 * The outcome of a call.
 *
 * `error` is a JSON-RPC error or a result with `isError`. `late` means that the response arrived after the call was
 * cancelled. `stream` is a subscription or another request that stays open by design.
 */
export type CallStatus = 'ok' | 'error' | 'pending' | 'cancelled' | 'late' | 'stream';

/** What was done to a message on its way. */
export type CallMark = 'modified' | 'dropped' | 'injected';

/** A request with its response and all related messages. */
export interface Call {
  /** The request; the first one in a chain of retries. */
  readonly request: MessageEntry;
  readonly method: string;
  /** The tool, prompt or resource that the request names. */
  readonly name: string | undefined;
  readonly direction: Direction;
  readonly conversation: number;
  readonly status: CallStatus;
  /** The response; the last one in a chain of retries. One that was dropped leaves the call `pending`. */
  readonly answer: MessageEntry | undefined;
  /** The time that the other side took for its responses, in milliseconds: `spanMs` without waiting for the user. */
  readonly durationMs: number | undefined;
  /** From the (first) request to the (last) response. */
  readonly spanMs: number | undefined;
  /** The time spent waiting for the user, for a task until its end. */
  readonly humanMs: number;
  /** The responses that asked for input and the retries that provided it, in order. */
  readonly rounds: readonly { readonly answer: MessageEntry; readonly retry: MessageEntry }[];
  /** Sequences of messages that belong to the call: progress, log messages, requests from the other side. */
  readonly progress: readonly number[];
  readonly logs: readonly number[];
  readonly nested: readonly number[];
  /** What was done to the notifications of the call: its progress and its cancellation. */
  readonly noticeMarks: readonly CallMark[];
  /** The HTTP status with which the server refused the request. */
  readonly refusedWith: number | undefined;
  /** The sequence of the message that cancelled the call. */
  readonly cancelledBy: number | undefined;
  /** The sequence of a later request that reused the id while the call was open. */
  readonly supersededBy: number | undefined;
  /** The task that the call started, by its id. */
  readonly task: string | undefined;
  /** How that task ended, if its end was recorded. `answer` is the response that named the task. */
  readonly taskOutcome: TaskOutcome | undefined;
  /** The sequence of the call that this one serves: for `tasks/get` and the like, the call that started the task. */
  readonly origin: number | undefined;
  /** Whether the call only asks which revisions a server supports. */
  readonly isProbe: boolean;
  /** Characters of the request's params and of the response's result or error, over all rounds. */
  readonly size: { readonly sent: number; readonly received: number };
}

/** How a task ended, the message that reported it, and the time since the request that started it. */
export interface TaskOutcome {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly sequence: number;
  readonly afterMs: number;
}

/** A response without a matching request: its id is unknown, missing or already answered. */
export interface OrphanAnswer {
  readonly message: MessageEntry;
  readonly why: 'unknown-id' | 'no-id' | 'answered-before';
}

/** The result of tracking one more entry. */
export interface TrackedCall {
  /** Calls that have ended, in the order in which they ended. */
  readonly calls: readonly Call[];
  readonly orphans: readonly OrphanAnswer[];
}
