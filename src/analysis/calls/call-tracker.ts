import { ObjectView } from '../../json/object-view.ts';
import { type Entry, type EventEntry, type JsonText, type MessageEntry, opposite } from '../../model/entry.ts';
import { CLIENT_LEFT } from '../../model/exchange-ends.ts';
import type { RecordedSession } from '../../model/session.ts';
import { envelopeOf } from '../../protocol/envelope.ts';
import { isModern } from '../../protocol/era.ts';

import type { Call, OrphanAnswer, TrackedCall } from './call.ts';
import { CallIndex, placeOf } from './call-index.ts';
import { bodyOf, exchangeIn, idText, replyOf, viewOf } from './call-reply.ts';
import { CallRetries } from './call-retries.ts';
import { CallTasks } from './call-tasks.ts';
import { OpenCall } from './open-call.ts';
import { Redeliveries } from './redeliveries.ts';

const NOTHING: TrackedCall = { calls: [], orphans: [] };

/** The first HTTP status with which a server refuses a request. */
const FIRST_REFUSAL = 400;

/** Requests that a server sends only on behalf of a call, on any stream. */
const ASKED_FOR_CALLS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage']);

/** The number of cancelled calls that are kept open for a late response. */
const MAX_CANCELLED = 1000;

/**
 * Combines the entries of one session into calls: requests with their responses and related messages. It only holds
 * open calls. Messages in the returned calls may be copies.
 */
export class CallTracker {
  #index = new CallIndex();
  #retries = new CallRetries();
  #tasks = new CallTasks();
  #cancelled = new Set<OpenCall>();
  #answeredIds = new AnsweredIds();
  #redeliveries = new Redeliveries();

  /** Takes the next entry; returns the calls that end with it. */
  take(entry: Entry): TrackedCall {
    if (entry.kind === 'other' && entry.type === 'meta') return this.#beginAnew();
    if (entry.kind === 'event') return entry.event === 'http.exchange' ? this.#endExchange(entry) : NOTHING;
    if (entry.kind !== 'message' || this.#redeliveries.take(entry)) return NOTHING;
    const { kind, id, method } = envelopeOf(entry);
    if (kind === 'response') return this.#answer(entry, id);
    if (method === undefined) return NOTHING;
    if (kind === 'request' && id !== undefined) return this.#ask(entry, id, method);
    return kind === 'notification' ? this.#notice(entry, method) : NOTHING;
  }

  /** Yields all open calls, in the order of their requests. There may be many, so each is built on demand. */
  *end(): Generator<Call> {
    const open = [...this.#index.values(), ...this.#retries.values(), ...this.#tasks.values()];
    open.sort((a, b) => a.request.sequence - b.request.sequence);
    for (const call of open) yield call.finished();
  }

  /** A further header begins another session in the same file. Nothing is paired across it. */
  #beginAnew(): TrackedCall {
    const calls = [...this.end()];
    this.#index = new CallIndex();
    this.#retries = new CallRetries();
    this.#tasks = new CallTasks();
    this.#cancelled = new Set();
    this.#answeredIds = new AnsweredIds();
    this.#redeliveries = new Redeliveries();
    return { calls, orphans: [] };
  }

  #ask(request: MessageEntry, id: JsonText, method: string): TrackedCall {
    const { sequence, direction, conversation = 0, http } = request;
    const retried = this.#retries.claim(request, method);
    if (retried !== undefined) {
      endQuestion(retried, request.atMs);
      retried.retried(request);
    }
    const call = retried ?? new OpenCall(request, method);
    const before = this.#index.add(call, id);
    // Over HTTP, clients without a session share a conversation, and each counts its own ids.
    if (before !== undefined && (http === undefined || conversation !== 0)) before.supersededBy ??= sequence;
    if (call.isAboutTask) this.#tasks.noteOrigin(call);
    if (direction === 'server_to_client' && method !== 'ping') this.#nest(call);
    return this.#giveUp(this.#index.sweep());
  }

  #giveUp(calls: readonly OpenCall[]): TrackedCall {
    if (calls.length === 0) return NOTHING;
    for (const call of calls) this.#cancelled.delete(call);
    return { calls: calls.map((call) => call.finished()), orphans: [] };
  }

  #nest(call: OpenCall): void {
    const parent = this.#servedBy(call.request, ASKED_FOR_CALLS.has(call.method));
    parent?.noteNested(call.request.sequence);
    if (call.method === 'elicitation/create') call.question = parent?.askPerson(call.request.atMs);
  }

  #answer(answer: MessageEntry, id: JsonText | undefined): TrackedCall {
    const call = this.#index.answeredBy(answer, id) ?? this.#answeredById(answer, id);
    if (call === undefined) return { calls: [], orphans: [this.#orphan(answer, id)] };
    if (answer.dropped) {
      call.withheld(answer);
      return NOTHING;
    }
    this.#index.remove(call);
    this.#cancelled.delete(call);
    if (call.row !== undefined) this.#answeredIds.add(call.row.place);
    endQuestion(call, answer.atMs);
    const { failed, wantsInput, task, size } = replyOf(answer, call.isAboutTask);
    call.answered(answer, failed, size);
    if (call.isCancelled) return over(call);
    if (wantsInput) return this.#awaitRetry(call, answer);
    if (task !== undefined) return this.#awaitTask(call, task);
    if (!call.isAboutTask) return over(call);
    const { calls } = this.#endTask(this.#tasks.endedByAnswer(call, answer, failed));
    return { calls: [...calls, call.finished()], orphans: [] };
  }

  /**
   * The call with the id of a response that is linked to a request which is not in the recording. Over HTTP, several
   * clients may use the same ids in one conversation.
   */
  #answeredById(
    { correlatedId, http, direction, conversation = 0 }: MessageEntry,
    id: JsonText | undefined,
  ): OpenCall | undefined {
    if (id === undefined || correlatedId === undefined || http !== undefined) return undefined;
    const place = placeOf(opposite(direction), conversation, id);
    return this.#answeredIds.has(place) ? undefined : this.#index.oldestAt(place);
  }

  #awaitRetry(call: OpenCall, answer: MessageEntry): TrackedCall {
    call.awaitsRetry = true;
    call.waitOn();
    if (answer.text.includes('elicitation/create')) call.question = call.askPerson(answer.atMs);
    this.#retries.add(call, answer);
    return NOTHING;
  }

  #awaitTask(call: OpenCall, task: string): TrackedCall {
    call.waitOn();
    const ended = this.#endTask(this.#tasks.begin(call, task));
    // The token stays in use while the task runs.
    this.#index.addToken(call);
    return ended;
  }

  #endTask(call: OpenCall | undefined): TrackedCall {
    if (call === undefined) return NOTHING;
    this.#index.removeToken(call);
    return over(call);
  }

  #orphan(message: MessageEntry, id: JsonText | undefined): OrphanAnswer {
    if (id === undefined) return { message, why: 'no-id' };
    const place = placeOf(opposite(message.direction), message.conversation ?? 0, id);
    return { message, why: this.#answeredIds.has(place) ? 'answered-before' : 'unknown-id' };
  }

  #notice(notice: MessageEntry, method: string): TrackedCall {
    switch (method) {
      case 'notifications/progress':
        this.#progress(notice);
        return NOTHING;
      case 'notifications/message':
        if (notice.direction === 'server_to_client') this.#servedBy(notice)?.noteLog(notice.sequence);
        return NOTHING;
      case 'notifications/cancelled':
        return this.#cancelById(notice);
      case 'notifications/tasks':
      case 'notifications/tasks/status':
        return this.#endTask(this.#tasks.endedByNotice(notice));
      default:
        return NOTHING;
    }
  }

  #progress(notice: MessageEntry): void {
    const token = idText(viewOf(notice, bodyOf(notice))?.textOf('progressToken'));
    if (token === undefined) return;
    this.#index.withToken(notice, token, exchangeIn(notice.http))?.noteProgress(notice);
  }

  /** The client's call that a server message belongs to, if it is unambiguous. */
  #servedBy(message: MessageEntry, anywhere = false): OpenCall | undefined {
    const { conversation = 0, http } = message;
    const related = this.#tasks.relatedTo(message);
    if (related !== undefined) return related;
    const exchange = exchangeIn(http);
    const here = exchange === undefined ? undefined : this.#index.onlyInExchange(exchange);
    if (here !== undefined) return here;
    const only = this.#index.onlyRunning(conversation);
    // While the exchange of a call is open, its messages should arrive there.
    const mayComeHere = anywhere || exchange === undefined || only?.exchange === undefined || only.exchangeIsOver;
    return mayComeHere ? only : undefined;
  }

  #cancelById(notice: MessageEntry): TrackedCall {
    const id = idText(viewOf(notice, bodyOf(notice))?.textOf('requestId'));
    if (id === undefined) return NOTHING;
    const call = this.#index.cancelledBy(notice, id);
    if (call === undefined) return NOTHING;
    call.noteMarks(notice);
    return this.#cancel(call, notice.atMs, notice.sequence);
  }

  #cancel(call: OpenCall, atMs: number, by?: number): TrackedCall {
    call.isCancelled = true;
    call.cancelledBy = by;
    endQuestion(call, atMs);
    this.#index.rest(call);
    this.#cancelled.add(call);
    if (this.#cancelled.size <= MAX_CANCELLED) return NOTHING;
    const [oldest = call] = this.#cancelled;
    this.#cancelled.delete(oldest);
    this.#index.remove(oldest);
    return over(oldest);
  }

  #endExchange(event: EventEntry): TrackedCall {
    const exchange = exchangeIn(event.raw);
    const open = exchange === undefined ? [] : this.#index.inExchange(exchange);
    if (open.length === 0) return NOTHING;
    const end = ObjectView.of(event.raw);
    const calls: Call[] = [];
    for (const call of open) calls.push(...this.#endExchangeOf(call, event.atMs, end).calls);
    return { calls, orphans: [] };
  }

  /** A stream ends with its exchange. A client of revision 2026-07-28 cancels its request by closing the exchange. */
  #endExchangeOf(call: OpenCall, atMs: number, end: ObjectView | undefined): TrackedCall {
    call.exchangeIsOver = true;
    const status = end?.number('status') ?? 0;
    if (status >= FIRST_REFUSAL) call.refusedWith = status;
    if (call.isStream || call.refusedWith !== undefined) {
      this.#index.remove(call);
      this.#cancelled.delete(call);
      return over(call);
    }
    const leaves = end?.string('error') === CLIENT_LEFT && !call.isCancelled && isModern(call.lastRequest.text);
    return leaves ? this.#cancel(call, atMs) : NOTHING;
  }
}

/** The calls of a session, in the order in which they ended. */
export async function* callsOf(session: RecordedSession, onEntry?: (entry: Entry) => void): AsyncGenerator<Call> {
  const tracker = new CallTracker();
  function* selected(calls: Iterable<Call>): Generator<Call> {
    for (const call of calls) if (session.wantsCall?.(call.request.sequence) !== false) yield call;
  }
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      onEntry?.(entry);
      yield* selected(tracker.take(entry).calls);
    }
  }
  yield* selected(tracker.end());
}

function endQuestion(call: OpenCall, atMs: number): void {
  if (call.question !== undefined) call.question.untilMs = atMs;
  call.question = undefined;
}

function over(call: OpenCall): TrackedCall {
  return { calls: [call.finished()], orphans: NOTHING.orphans };
}

/** How many ids one generation holds. A full generation replaces the previous one. */
const GENERATION = 1 << 15;

/** Remembers recently answered ids in bounded memory. */
class AnsweredIds {
  #recent = new Set<string | number>();
  #older = new Set<string | number>();

  add(place: string | number): void {
    this.#recent.add(place);
    if (this.#recent.size < GENERATION) return;
    this.#older = this.#recent;
    this.#recent = new Set();
  }

  has(place: string | number): boolean {
    return this.#recent.has(place) || this.#older.has(place);
  }
}
