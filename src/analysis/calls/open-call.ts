import { inOwnMemory } from '../../json/own-memory.ts';
import type { Direction, JsonText, MessageEntry } from '../../model/entry.ts';
import type { Call, CallStatus, TaskOutcome } from './call.ts';
import { bodyOf, exchangeIn, nameIn, progressTokenIn, sizeOf } from './call-reply.ts';
import { ownMessage } from './own-message.ts';

const NONE: readonly never[] = [];

/** A call that is not over yet, and what is known of it so far. */
export class OpenCall {
  method: string;
  name: string | undefined;
  readonly direction: Direction;
  readonly conversation: number;
  request: MessageEntry;
  /** The request that waits for an answer: of a chain the last retry. */
  asked: MessageEntry;
  /** The exact text of its progress token. */
  token: JsonText | undefined;
  /** Where the index has it. */
  place: string | number = 0;
  exchange: number | undefined;
  /** Whether the HTTP exchange in which it was asked is over, so that whatever comes for it comes elsewhere. */
  exchangeIsOver = false;
  /** The question to a person that goes on until this is answered, or asked again. */
  question: ServerQuestion | undefined;
  /** Whether its last answer wanted input: then it is no answer to the call as a whole. */
  awaitsRetry = false;
  isCancelled = false;
  /** Whether its HTTP exchange was refused, so that no answer can come. */
  isRefused = false;
  cancelledBy: number | undefined;
  supersededBy: number | undefined;
  task: string | undefined;
  taskOutcome: TaskOutcome | undefined;
  origin: number | undefined;
  #rounds: { answer: MessageEntry; retry: MessageEntry }[] | undefined;
  #progress: number[] | undefined;
  #logs: number[] | undefined;
  #nested: number[] | undefined;
  #answer: MessageEntry | undefined;
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
    this.asked = request;
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

  /** Takes its answer, which need not be the last. */
  answered(answer: MessageEntry, failed: boolean, size: number): void {
    this.#answer = answer;
    this.#failed = failed;
    this.#received += size;
  }

  /** Waits on after an answer that is not the last word: it wants input, or a task goes on. */
  waitOn(): void {
    this.moveToOwnMemory();
    if (this.#answer !== undefined) this.#answer = ownMessage(this.#answer);
  }

  /** Goes on with a retry, which gives the input that the last answer wanted. */
  retried(given: MessageEntry): void {
    const retry = ownMessage(given);
    const body = bodyOf(retry);
    if (this.#answer !== undefined) this.#rounds = noted(this.#rounds, { answer: this.#answer, retry });
    this.#answer = undefined;
    this.awaitsRetry = false;
    this.asked = retry;
    this.token = progressTokenIn(retry, body);
    this.exchange = exchangeIn(retry.http);
    this.exchangeIsOver = false;
    this.#sent += sizeOf(body);
  }

  noteProgress(sequence: number): void {
    this.#progress = noted(this.#progress, sequence);
  }

  noteLog(sequence: number): void {
    this.#logs = noted(this.#logs, sequence);
  }

  noteNested(sequence: number): void {
    this.#nested = noted(this.#nested, sequence);
  }

  /** A person is asked from now on, until the question that is returned has an end. */
  askPerson(atMs: number): ServerQuestion {
    const question = beginQuestion(atMs);
    if (this.#questions === undefined) this.#questions = [question];
    else this.#questions.push(question);
    return question;
  }

  /** Lets go of what its strings were cut from, because it stays for longer than the texts around it. */
  moveToOwnMemory(): void {
    const request = ownMessage(this.request);
    this.asked = this.asked === this.request ? request : ownMessage(this.asked);
    this.request = request;
    this.method = inOwnMemory(this.method);
    if (this.name !== undefined) this.name = inOwnMemory(this.name);
    if (this.token !== undefined) this.token = inOwnMemory(this.token);
  }

  /** What it came to, now that nothing more is waited for. */
  finished(): Call {
    const { request, method, name, direction, conversation, cancelledBy, supersededBy } = this;
    const answer = this.#answer;
    return {
      request,
      method,
      name,
      direction,
      conversation,
      status: this.#status(),
      answer,
      durationMs: answer && answer.atMs - request.atMs,
      humanMs: this.#humanMs(),
      rounds: this.#rounds ?? NONE,
      progress: this.#progress ?? NONE,
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
    if (this.#questions === undefined || this.#answer === undefined) return 0;
    const { taskOutcome, request } = this;
    return timeRequested(this.#questions, taskOutcome ? request.atMs + taskOutcome.afterMs : this.#answer.atMs);
  }

  #status(): CallStatus {
    const isAnswered = this.#answer !== undefined && !this.awaitsRetry;
    if (isAnswered && this.isCancelled && !this.isStream) return 'late';
    if ((isAnswered && this.#failed) || this.isRefused) return 'error';
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

/** A time in which a person was asked; it has no end as long as they are. */
interface ServerQuestion {
  readonly sinceMs: number;
  untilMs: number;
}

function beginQuestion(atMs: number): ServerQuestion {
  return { sinceMs: atMs, untilMs: Number.POSITIVE_INFINITY };
}

/** How long at least one of the questions was open, up to `endMs`. */
function timeRequested(questions: readonly ServerQuestion[], endMs: number): number {
  let requested = 0;
  let countedUntilMs = Number.NEGATIVE_INFINITY;
  for (const { sinceMs, untilMs } of questions) {
    // They stand in the order in which they began.
    const fromMs = Math.max(sinceMs, countedUntilMs);
    const toMs = Math.min(untilMs, endMs);
    if (toMs > fromMs) requested += toMs - fromMs;
    countedUntilMs = Math.max(countedUntilMs, toMs);
  }
  return requested;
}
