import type { CallStatus, TaskOutcome } from '../../../src/analysis/calls/call.ts';
import type { Direction, MessageEntry } from '../../../src/model/entry.ts';

/** What the simulation knows about a call it generated. */
export interface TrueCall {
  readonly request: MessageEntry;
  readonly method: string;
  readonly name: string | undefined;
  readonly direction: Direction;
  readonly conversation: number;
  readonly isModern: boolean;
  /** The params that a retry repeats. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The periods in which the user was asked. */
  readonly questions: { readonly sinceMs: number; untilMs: number }[];
  readonly rounds: { readonly answer: number; readonly retry: number }[];
  readonly progress: number[];
  readonly logs: number[];
  readonly nested: number[];
  stage: 'open' | 'wants-input' | 'task' | 'over';
  /** The open request: the last retry. */
  asked: MessageEntry;
  id: string | number;
  token: string | number | undefined;
  exchange: number | undefined;
  exchangeIsOver: boolean;
  /** If this request asks the user: the period within the call it belongs to. */
  question: { untilMs: number } | undefined;
  /** The state in its last response, if that required input. */
  state: string | undefined;
  isCancelled: boolean;
  cancelledBy: number | undefined;
  supersededBy: number | undefined;
  task: string | undefined;
  taskOutcome: TaskOutcome | undefined;
  origin: number | undefined;
  answer: MessageEntry | undefined;
  failed: boolean;
  refused: boolean;
  sent: number;
  received: number;
  /** The number of entries when it ended; `undefined` if it never did. */
  overAfter: number | undefined;
}

/** A call of which only the request is known. */
export function newCall({
  origin,
  ...known
}: Pick<TrueCall, 'request' | 'method' | 'params' | 'isModern' | 'id' | 'token' | 'exchange' | 'sent'> & {
  readonly origin: TrueCall | undefined;
}): TrueCall {
  const { request, params } = known;
  return {
    ...known,
    name: params.name as string | undefined,
    direction: request.direction,
    conversation: request.conversation ?? 0,
    questions: [],
    rounds: [],
    progress: [],
    logs: [],
    nested: [],
    stage: 'open',
    asked: request,
    exchangeIsOver: false,
    question: undefined,
    state: undefined,
    isCancelled: false,
    cancelledBy: undefined,
    supersededBy: undefined,
    task: undefined,
    taskOutcome: undefined,
    origin: origin?.request.sequence,
    answer: undefined,
    failed: false,
    refused: false,
    received: 0,
    overAfter: undefined,
  };
}

/** The compared fields of a call, with entries as sequence numbers. */
export interface PlainCall {
  readonly request: number;
  readonly status: CallStatus;
  readonly overAfter: number | undefined;
  readonly [member: string]: unknown;
}

export function plainTruth(call: TrueCall): PlainCall {
  const { request, answer, taskOutcome } = call;
  const lastMs = taskOutcome === undefined ? (answer?.atMs ?? 0) : request.atMs + taskOutcome.afterMs;
  return {
    request: request.sequence,
    status: statusOf(call),
    overAfter: call.overAfter,
    method: call.method,
    name: call.name,
    direction: call.direction,
    conversation: call.conversation,
    answer: answer?.sequence,
    durationMs: answer && answer.atMs - request.atMs - millisecondsInQuestions(call, answer.atMs),
    spanMs: answer && answer.atMs - request.atMs,
    refusedWith: call.refused ? 401 : undefined,
    humanMs: answer === undefined ? 0 : millisecondsInQuestions(call, lastMs),
    rounds: call.rounds,
    progress: call.progress,
    noticeMarks: [],
    logs: call.logs,
    nested: call.nested,
    cancelledBy: call.cancelledBy,
    supersededBy: call.supersededBy,
    task: call.task,
    taskOutcome,
    origin: call.origin,
    isProbe: call.method === 'server/discover',
    size: { sent: call.sent, received: call.received },
  };
}

function statusOf(call: TrueCall): CallStatus {
  const isStream = call.method === 'subscriptions/listen';
  const hasAnswer = call.answer !== undefined && call.stage !== 'wants-input';
  if (hasAnswer && call.isCancelled && !isStream) return 'late';
  if (call.refused || (hasAnswer && call.failed)) return 'error';
  if (isStream) return 'stream';
  if (hasAnswer) return 'ok';
  return call.isCancelled ? 'cancelled' : 'pending';
}

/** Counts millisecond by millisecond, as an independent check. */
function millisecondsInQuestions({ request, questions }: TrueCall, lastMs: number): number {
  let count = 0;
  for (let ms = request.atMs; ms < lastMs; ms++) {
    if (questions.some(({ sinceMs, untilMs }) => sinceMs <= ms && ms < untilMs)) count++;
  }
  return count;
}
