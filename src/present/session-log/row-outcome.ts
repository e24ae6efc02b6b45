import type { Call } from '../../analysis/calls/call.ts';
import { inOwnMemory } from '../../json/own-memory.ts';

/** The outcome of a call, for the rows of its request and response. */
export interface RowOutcome
  extends Pick<
    Call,
    | 'method'
    | 'name'
    | 'status'
    | 'durationMs'
    | 'spanMs'
    | 'humanMs'
    | 'progress'
    | 'logs'
    | 'nested'
    | 'cancelledBy'
    | 'supersededBy'
    | 'origin'
    | 'size'
  > {
  /** The sequences of the two messages. */
  readonly request: number;
  readonly answer: number | undefined;
  readonly rounds: readonly { readonly answer: number; readonly retry: number }[];
}

const NO_ROUNDS: RowOutcome['rounds'] = [];

export function outcomeOf(call: Call): RowOutcome {
  const { name, status, durationMs, spanMs, humanMs, progress, logs, nested, cancelledBy, supersededBy, origin } = call;
  return {
    // Copies, because slices would keep the text of the request in memory.
    method: inOwnMemory(call.method),
    name: inOwnMemory(name),
    status,
    durationMs,
    spanMs,
    humanMs,
    request: call.request.sequence,
    answer: call.answer?.sequence,
    rounds:
      call.rounds.length === 0
        ? NO_ROUNDS
        : call.rounds.map(({ answer, retry }) => ({ answer: answer.sequence, retry: retry.sequence })),
    progress,
    logs,
    nested,
    cancelledBy,
    supersededBy,
    origin,
    size: call.size,
  };
}

/** Whether the request and the response of a call say everything about it, so that it need not be remembered. */
export function isOrdinary(call: Call): boolean {
  const { request, answer, status, durationMs, spanMs, rounds, progress, logs, nested } = call;
  const isAlone = rounds.length === 0 && progress.length === 0 && logs.length === 0 && nested.length === 0;
  const isUnmarked =
    call.humanMs === 0 &&
    call.cancelledBy === undefined &&
    call.supersededBy === undefined &&
    call.origin === undefined &&
    call.task === undefined &&
    call.refusedWith === undefined;
  if (!isAlone || !isUnmarked || durationMs !== spanMs) return false;
  if (answer === undefined) return status === 'pending' && spanMs === undefined;
  return (status === 'ok' || status === 'error') && spanMs === answer.atMs - request.atMs;
}
