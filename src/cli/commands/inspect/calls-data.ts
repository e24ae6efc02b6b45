import type { Call, OrphanAnswer } from '../../../analysis/calls/call.ts';
import { failureOf } from '../../../analysis/calls/call-failure.ts';
import type { MessageEntry } from '../../../model/entry.ts';
import { formatSessionTime } from '../../../model/times.ts';
import { envelopeOf } from '../../../protocol/envelope.ts';

/** A call as one line of JSON. `hasTimes` is false if the file has message numbers instead of times. */
export function callData(call: Call, hasTimes: boolean): string {
  const { request, answer, rounds } = call;
  const failure = failureOf(call);
  return withId(request, {
    method: call.method,
    name: call.name ?? null,
    direction: call.direction,
    conversation: call.conversation,
    timestamp: hasTimes ? formatSessionTime(request.atMs) : null,
    status: call.status,
    answer: answer?.sequence ?? null,
    duration_ms: hasTimes ? (call.durationMs ?? null) : null,
    human_ms: hasTimes ? call.humanMs : null,
    error: failure === undefined ? null : { code: failure.code ?? null, message: failure.message ?? null },
    size: call.size,
    rounds: rounds.map((round) => ({ answer: round.answer.sequence, retry: round.retry.sequence })),
    progress: call.progress,
    logs: call.logs,
    nested: call.nested,
    cancelled_by: call.cancelledBy ?? null,
    superseded_by: call.supersededBy ?? null,
    task: call.task === undefined ? null : taskData(call, hasTimes),
    origin: call.origin ?? null,
    probe: call.isProbe,
  });
}

function taskData({ task, taskOutcome }: Call, hasTimes: boolean): object {
  return {
    id: task,
    status: taskOutcome?.status ?? null,
    sequence: taskOutcome?.sequence ?? null,
    after_ms: hasTimes ? (taskOutcome?.afterMs ?? null) : null,
  };
}

/** A response without a request, as one line of JSON. */
export function orphanData({ message, why }: OrphanAnswer): string {
  const { direction, conversation = 0 } = message;
  return `{"orphan":${withId(message, { direction, conversation, why })}}`;
}

/** The id keeps its exact text, because it may have more digits than a JavaScript number. */
function withId(message: MessageEntry, data: object): string {
  const id = envelopeOf(message).id ?? 'null';
  return `{"sequence":${message.sequence},"jsonrpc_id":${id},${JSON.stringify(data).slice(1)}`;
}
