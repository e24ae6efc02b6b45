import { type Direction, type MessageEntry, opposite } from '../../../src/model/entry.ts';
import { canBeRetried, cancelledCall, progressingCall, servedCall } from './bystander.ts';
import type { TrueCall } from './call-truth.ts';
import { SimulatedWire } from './simulated-wire.ts';

const METHODS = ['tools/call', 'tools/call', 'tools/list', 'subscriptions/listen', 'server/discover'];
const SERVER_METHODS = ['elicitation/create', 'sampling/createMessage', 'ping'];

/** Selects one of the possible actions of a step: each number is taken modulo the number of options. */
export interface Choice {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/**
 * Simulates two concurrent conversations with random events. It records the messages, and knows which belong together
 * because it generated them.
 */
export class Simulation extends SimulatedWire {
  #tasks = 0;

  /** A request of either side, sometimes with an id that is in use. */
  ask({ a, b, c }: Choice): void {
    const direction: Direction = a % 4 === 0 ? 'server_to_client' : 'client_to_server';
    const methods = direction === 'client_to_server' ? METHODS : SERVER_METHODS;
    const method = methods[b % methods.length] ?? 'ping';
    const named = method === 'tools/call' ? { name: `tool${c % 2}`, arguments: { deep: c % 3 } } : {};
    this.begin(direction, a % 2, { method, params: named, isModern: c % 2 === 0 }, b + c);
  }

  answer({ a, b, c }: Choice): void {
    const call = this.one((one) => one.stage === 'open', a);
    if (call === undefined) return;
    const canGoOn = call.direction === 'client_to_server' && call.method === 'tools/call';
    if (canGoOn && call.isModern && b % 3 === 0) this.#wantInput(call, c);
    else if (canGoOn && b % 3 === 1) this.#beginTask(call, c);
    else if (call.origin !== undefined && b % 2 === 0) this.#reportTask(call, c);
    else this.#complete(call, [{ result: {} }, { result: { isError: true } }, { error: { code: -1 } }][b % 3] ?? {});
  }

  #complete(call: TrueCall, outcome: Readonly<Record<string, unknown>>): void {
    this.say(call, outcome);
    call.failed = 'error' in outcome || (outcome.result as { isError?: boolean }).isError === true;
    const origin = this.taskOf(call);
    if (call.method === 'tasks/result' && origin !== undefined && !call.isCancelled) {
      this.endTask(origin, call.failed ? 'failed' : 'completed', call.answer as MessageEntry);
    }
    this.over(call);
  }

  /** A stray response: a second one to a finished request, or one without a request. */
  stray({ a, b }: Choice): void {
    const { direction, conversation, id } = this.one(() => true, a) ?? { direction: 'client_to_server', id: 0 };
    const ids = [id, 'never', null];
    const sent = this.script.say(opposite(direction), { id: ids[b % 3], result: {} }, { conversation });
    const isKnown = this.answered.has(JSON.stringify([direction, conversation ?? 0, ids[b % 3]]));
    const why = b % 3 === 2 ? 'no-id' : isKnown ? 'answered-before' : 'unknown-id';
    this.orphans.push({ sequence: sent.sequence, why });
  }

  #wantInput(call: TrueCall, c: number): void {
    const state = c % 3 === 0 ? undefined : c % 3 === 1 ? 'same' : `state${c}`;
    const inputRequests = c % 2 === 0 ? { who: { method: 'elicitation/create' } } : {};
    this.say(call, { result: { resultType: 'input_required', inputRequests, requestState: state } });
    if (call.isCancelled) {
      this.over(call);
      return;
    }
    call.stage = 'wants-input';
    call.state = state;
    call.question = undefined;
    if (c % 2 !== 0) return;
    const question = { sinceMs: this.script.nowMs, untilMs: Number.POSITIVE_INFINITY };
    call.questions.push(question);
    call.question = question;
  }

  /** Retries a call that requires input. The retry counts as part of the call only if an observer could match them. */
  retry({ a, b }: Choice): void {
    const call = this.one(({ stage }) => stage === 'wants-input', a);
    if (call === undefined) return;
    const { direction, conversation, method, state, params } = call;
    const input = { inputResponses: { who: {} }, ...(state !== undefined && { requestState: state }) };
    const retries = canBeRetried(this.calls, call) ? { retries: call } : {};
    this.begin(direction, conversation, { method, params, input, isModern: true, ...retries }, b);
  }

  #beginTask(call: TrueCall, c: number): void {
    const taskId = `task-${this.#tasks++}`;
    const legacy = { result: { task: { taskId, status: 'working' } } };
    this.say(call, call.isModern ? { result: { resultType: 'task', taskId, status: 'working' } } : legacy);
    if (call.isCancelled) {
      this.over(call);
      return;
    }
    call.stage = 'task';
    call.task = taskId;
    if (c % 4 === 0) this.#notifyTask(call, 'working');
  }

  /** Requests a task's state, whether it is running or not, or receives its status. */
  followTask({ a, b, c }: Choice): void {
    const call = this.one(({ task }) => task !== undefined, a);
    if (call === undefined) return;
    if (b % 4 === 0) {
      this.#notifyTask(call, c % 2 === 0 ? 'cancelled' : 'working');
      return;
    }
    const method = ['tasks/get', 'tasks/result', 'tasks/cancel'][b % 3] ?? '';
    const asking = { method, params: { taskId: call.task }, origin: call };
    this.begin(call.direction, call.conversation, asking, c);
  }

  #notifyTask(call: TrueCall, status: 'working' | 'cancelled'): void {
    const method = call.isModern ? 'notifications/tasks' : 'notifications/tasks/status';
    const { conversation, task } = call;
    const notice = this.script.server({ method, params: { taskId: task, status } }, { conversation });
    if (status === 'cancelled' && call.stage === 'task') this.endTask(call, status, notice);
  }

  #reportTask(call: TrueCall, c: number): void {
    const status = (['completed', 'failed', 'working'] as const)[c % 3] ?? 'working';
    this.say(call, { result: { taskId: 'whatever', status } });
    const origin = this.taskOf(call);
    const ends = call.method === 'tasks/result' ? 'completed' : status === 'working' ? undefined : status;
    if (origin !== undefined && ends !== undefined && !call.isCancelled) {
      this.endTask(origin, ends, call.answer as MessageEntry);
    }
    this.over(call);
  }

  cancel({ a }: Choice): void {
    const call = this.one(({ stage }) => stage === 'open', a);
    if (call === undefined) return;
    const { direction, conversation, id } = call;
    const params = { requestId: id };
    const notice = this.script.say(direction, { method: 'notifications/cancelled', params }, { conversation });
    const meant = cancelledCall(this.calls, call);
    if (meant !== undefined) this.markCancelled(meant, notice.sequence);
  }

  progress({ a, b }: Choice): void {
    const call = this.one(({ token }) => token !== undefined, a);
    if (call === undefined) return;
    const { conversation, token } = call;
    const exchange = this.isHttp && b % 2 === 0 ? call.exchange : undefined;
    const params = { progressToken: token, progress: b };
    const reported = { method: 'notifications/progress', params };
    const notice = this.script.say(opposite(call.direction), reported, { conversation, exchange });
    progressingCall(this.calls, call, exchange)?.progress.push(notice.sequence);
  }

  log({ a, b, c }: Choice): void {
    const call = this.one(({ stage, direction }) => stage !== 'over' && direction === 'client_to_server', a);
    const conversation = call?.conversation ?? 0;
    const exchange = this.isHttp && b % 2 === 0 ? call?.exchange : undefined;
    const related = c % 3 === 0 && call?.task !== undefined ? { taskId: call.task } : undefined;
    const params = { data: 'log', ...(related && { _meta: { 'io.modelcontextprotocol/related-task': related } }) };
    const notice = this.script.server({ method: 'notifications/message', params }, { conversation, exchange });
    const byTask = related && call?.stage === 'task' ? call : undefined;
    (byTask ?? servedCall(this.calls, conversation, exchange, 'notifications/message'))?.logs.push(notice.sequence);
  }

  endExchange({ a, b }: Choice): void {
    const one = this.one(
      ({ stage, exchange, exchangeIsOver: over }) => stage === 'open' && !over && exchange !== undefined,
      a,
    );
    if (one?.exchange === undefined) return;
    const { exchange, conversation } = one;
    const [status, error] = (
      [
        [200, null],
        [200, 'the client left'],
        [401, null],
      ] as const
    )[b % 3] ?? [200, null];
    this.script.endExchange(exchange, { status, error, conversation });
    for (const call of this.calls) {
      if (call.exchange !== exchange || call.direction === 'server_to_client' || call.stage !== 'open') continue;
      call.exchangeIsOver = true;
      call.refused = status === 401;
      if (call.refused || call.method === 'subscriptions/listen') this.over(call);
      else if (error !== null && call.isModern && !call.isCancelled) this.markCancelled(call, undefined);
    }
  }
}
