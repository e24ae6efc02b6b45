import { inOwnMemory } from '../../json/own-memory.ts';
import type { Direction, JsonText, MessageEntry } from '../../model/entry.ts';
import type { OpenRequest } from '../../protocol/request-table.ts';
import type { Call, CallMark, CallStatus, TaskOutcome } from './call.ts';
import { marksOf } from './call-marks.ts';
import { bodyOf, exchangeIn, nameIn, progressTokenIn, sizeOf } from './call-reply.ts';
import { ownMessage } from './own-message.ts';

const NONE: readonly never[] = [];

/** A call that has not ended, with the data collected so far. */
export class OpenCall {
  method: string;
  name: string | undefined;
  readonly direction: Direction;
  readonly conversation: number;
  request: MessageEntry;
  /** The request that waits for a response; the last retry in a chain. */
  lastRequest: MessageEntry;
  /** The exact text of the progress token. */
  token: JsonText | undefined;
  /** Its row in the table of open requests. */
  row: OpenRequest<OpenCall> | undefined;
  exchange: number | undefined;
  /** Whether the HTTP exchange of its request has ended, so that related messages arrive elsewhere. */
  exchangeIsOver = false;
  /** The open question to the user. It ends when this call is answered or retried. */
  question: ServerQuestion | undefined;
  /** Whether the last response asked for input and so does not complete the call. */
  awaitsRetry = false;
  isCancelled = false;
  /** Whether its HTTP exchange was refused, so that no response can arrive. */
  refusedWith: number | undefined;
  cancelledBy: number | undefined;
  supersededBy: number | undefined;
  task: string | undefined;
  taskOutcome: TaskOutcome | undefined;
  origin: number | undefined;
  #rounds: { answer: MessageEntry; retry: MessageEntry }[] | undefined;
  #progress: number[] | undefined;
  #noticeMarks: CallMark[] | undefined;
  #logs: number[] | undefined;
  #nested: number[] | undefined;
  #answer: MessageEntry | undefined;
  #isWithheld = false;
  #failed = false;
  #sent: number;
  #received = 0;
  #questions: ServerQuestion[] | undefined;

  constructor(request: MessageEntry, method: string) {
    const body = bodyOf(request);
    this.method = method;
    this.name = nameIn(request, method, body);
    this.direction = request.direction;
    this.conversation = request.conversation ?? 0;
    this.request = request;
    this.lastRequest = request;
    this.token = progressTokenIn(request, body);
    this.exchange = exchangeIn(request.http);
    this.#sent = sizeOf(body);
  }

  get isStream(): boolean {
    return this.method === 'subscriptions/listen';
  }

  get isAboutTask(): boolean {
    return this.method.startsWith('tasks/');
  }

  /** Takes a response, which need not be the last. */
  answered(answer: MessageEntry, failed: boolean, size: number): void {
    this.#answer = answer;
    this.#isWithheld = false;
    this.#failed = failed;
    this.#received += size;
  }

  /** Takes a response that was dropped, so that the call still waits for one. */
  withheld(answer: MessageEntry): void {
    this.#answer = ownMessage(answer);
    this.#isWithheld = true;
  }

  /** Keeps the call open after a response that is not final: it asks for input, or a task runs. */
  waitOn(): void {
    this.moveToOwnMemory();
    if (this.#answer !== undefined) this.#answer = ownMessage(this.#answer);
  }

  /** Continues with a retry, which provides the input that the last response asked for. */
  retried(given: MessageEntry): void {
    const retry = ownMessage(given);
    const body = bodyOf(retry);
    if (this.#answer !== undefined) this.#rounds = noted(this.#rounds, { answer: this.#answer, retry });
    this.#answer = undefined;
    this.#isWithheld = false;
    this.awaitsRetry = false;
    this.lastRequest = retry;
    this.token = progressTokenIn(retry, body);
    this.exchange = exchangeIn(retry.http);
    this.exchangeIsOver = false;
    this.#sent += sizeOf(body);
  }

  noteProgress(notice: MessageEntry): void {
    this.#progress = noted(this.#progress, notice.sequence);
    this.noteMarks(notice);
  }

  /** Notes what was done to a notification of the call. */
  noteMarks(notice: MessageEntry): void {
    for (const mark of marksOf(notice)) {
      if (this.#noticeMarks?.includes(mark) !== true) this.#noticeMarks = noted(this.#noticeMarks, mark);
    }
  }

  noteLog(sequence: number): void {
    this.#logs = noted(this.#logs, sequence);
  }

  noteNested(sequence: number): void {
    this.#nested = noted(this.#nested, sequence);
  }

  /** Starts waiting for the user. The wait lasts until the caller ends the returned question. */
  askPerson(atMs: number): ServerQuestion {
    const question = beginQuestion(atMs);
    if (this.#questions === undefined) this.#questions = [question];
    else this.#questions.push(question);
    return question;
  }

  /** Waits for the user whenever the task does that this call waits for. */
  waitWith(task: OpenCall): void {
    task.#questions ??= [];
    this.#questions = task.#questions;
  }

  /** Copies the call's strings, because the call outlives the texts that they were sliced from. */
  moveToOwnMemory(): void {
    const request = ownMessage(this.request);
    this.lastRequest = this.lastRequest === this.request ? request : ownMessage(this.lastRequest);
    this.request = request;
    this.method = inOwnMemory(this.method);
    if (this.name !== undefined) this.name = inOwnMemory(this.name);
    if (this.token !== undefined) this.token = inOwnMemory(this.token);
  }

  /** The finished call, once nothing more is expected. */
  finished(): Call {
    const { request, method, name, direction, conversation, refusedWith, cancelledBy, supersededBy } = this;
    const answer = this.#answer;
    // A clock that was set back must not make a call end before it began.
    const spanMs = answer && !this.#isWithheld ? Math.max(0, answer.atMs - request.atMs) : undefined;
    return {
      request,
      method,
      name,
      direction,
      conversation,
      status: this.#status(),
      answer,
      durationMs: spanMs === undefined ? undefined : Math.max(0, spanMs - this.#humanMsUntil(answer?.atMs)),
      spanMs,
      humanMs: this.#humanMs(),
      refusedWith,
      rounds: this.#rounds ?? NONE,
      progress: this.#progress ?? NONE,
      noticeMarks: this.#noticeMarks ?? NONE,
      logs: this.#logs ?? NONE,
      nested: this.#nested ?? NONE,
      cancelledBy,
      supersededBy,
      task: this.task,
      taskOutcome: this.taskOutcome,
      origin: this.origin,
      isProbe: method === 'server/discover',
      size: { sent: this.#sent, received: this.#received },
    };
  }

  #humanMs(): number {
    const { taskOutcome, request } = this;
    return this.#humanMsUntil(taskOutcome ? request.atMs + taskOutcome.afterMs : this.#answer?.atMs);
  }

  #humanMsUntil(endMs: number | undefined): number {
    const isAnswered = this.#answer !== undefined && endMs !== undefined;
    return this.#questions === undefined || !isAnswered
      ? 0
      : timeInQuestions(this.#questions, this.request.atMs, endMs);
  }

  #status(): CallStatus {
    const isAnswered = this.#answer !== undefined && !this.awaitsRetry && !this.#isWithheld;
    if (isAnswered && this.isCancelled && !this.isStream) return 'late';
    if ((isAnswered && this.#failed) || this.refusedWith !== undefined) return 'error';
    if (this.isStream) return 'stream';
    if (isAnswered) return 'ok';
    return this.isCancelled ? 'cancelled' : 'pending';
  }
}

function noted<T>(list: T[] | undefined, one: T): T[] {
  if (list === undefined) return [one];
  list.push(one);
  return list;
}

/** A period of waiting for the user; `untilMs` is infinite while it lasts. */
interface ServerQuestion {
  readonly sinceMs: number;
  untilMs: number;
}

function beginQuestion(atMs: number): ServerQuestion {
  return { sinceMs: atMs, untilMs: Number.POSITIVE_INFINITY };
}

/** How long at least one of the questions was open in this time. */
function timeInQuestions(questions: readonly ServerQuestion[], startMs: number, endMs: number): number {
  let requested = 0;
  let countedUntilMs = startMs;
  for (const { sinceMs, untilMs } of questions) {
    // The questions are sorted by start time.
    const fromMs = Math.max(sinceMs, countedUntilMs);
    const toMs = Math.min(untilMs, endMs);
    if (toMs > fromMs) requested += toMs - fromMs;
    countedUntilMs = Math.max(countedUntilMs, toMs);
  }
  return requested;
}
