import type { ObjectView } from '../../json/object-view.ts';
import { inOwnMemory } from '../../json/own-memory.ts';
import { type Direction, type MessageEntry, opposite } from '../../model/entry.ts';
import type { TaskOutcome } from './call.ts';
import { bodyOf, relatedTaskIn, viewOf } from './call-reply.ts';
import type { OpenCall } from './open-call.ts';

/** The number of ended tasks whose originating call is remembered. */
const MAX_PAST = 10_000;

/**
 * The tasks that calls started, in both versions of the protocol. A request receives the id of a task and stays open
 * until a response or a notification reports the end of the task.
 */
export class CallTasks {
  readonly #open = new Map<string, OpenCall>();
  /** The sequences of the calls that started tasks which have ended. */
  readonly #past = new Map<string, number>();

  /** Records a task; returns the earlier call whose task had the same id, because its end will remain unknown. */
  begin(call: OpenCall, task: string): OpenCall | undefined {
    call.task = inOwnMemory(task);
    const key = keyOf(call.direction, call.conversation, call.task);
    const displaced = this.#open.get(key);
    this.#open.delete(key);
    this.#open.set(key, call);
    return displaced;
  }

  /** Notes the call that started the task which a call refers to. The result of a task arrives when the task ends. */
  noteOrigin(call: OpenCall): void {
    const { request, method } = call;
    const task = viewOf(request, bodyOf(request))?.string('taskId');
    if (task === undefined) return;
    const key = keyOf(request.direction, request.conversation ?? 0, task);
    const running = this.#open.get(key);
    call.origin = running?.request.sequence ?? this.#past.get(key);
    if (running !== undefined && method === 'tasks/result') call.waitWith(running);
  }

  /** The call whose running task a message from the other side declares as related. */
  relatedTo(message: MessageEntry): OpenCall | undefined {
    if (this.#open.size === 0) return undefined;
    const task = relatedTaskIn(message);
    const side = opposite(message.direction);
    return task === undefined ? undefined : this.#open.get(keyOf(side, message.conversation ?? 0, task));
  }

  /** Removes and returns the call whose task has ended according to this response to `about`. */
  endedByAnswer(about: OpenCall, answer: MessageEntry, failed: boolean): OpenCall | undefined {
    if (this.#open.size === 0) return undefined;
    const task = viewOf(about.lastRequest, bodyOf(about.lastRequest))?.string('taskId');
    if (task === undefined) return undefined;
    if (about.method === 'tasks/result') {
      return this.#end(about.direction, answer, task, failed ? 'failed' : 'completed');
    }
    const body = bodyOf(answer);
    const reported = body?.key === 'result' ? endIn(viewOf(answer, body)) : undefined;
    return reported && this.#end(about.direction, answer, task, reported);
  }

  /** Removes and returns the call whose task has ended according to this notification. */
  endedByNotice(notice: MessageEntry): OpenCall | undefined {
    if (this.#open.size === 0) return undefined;
    const params = viewOf(notice, bodyOf(notice));
    const task = params?.string('taskId');
    const reported = endIn(params);
    if (task === undefined || reported === undefined) return undefined;
    return this.#end(opposite(notice.direction), notice, task, reported);
  }

  values(): Iterable<OpenCall> {
    return this.#open.values();
  }

  #end(direction: Direction, message: MessageEntry, task: string, status: TaskOutcome['status']): OpenCall | undefined {
    const key = keyOf(direction, message.conversation ?? 0, task);
    const call = this.#open.get(key);
    if (call === undefined) return undefined;
    const { request } = call;
    call.taskOutcome = { status, sequence: message.sequence, afterMs: Math.max(0, message.atMs - request.atMs) };
    this.#open.delete(key);
    this.#past.set(key, request.sequence);
    const [oldest = key] = this.#past.keys();
    if (this.#past.size > MAX_PAST) this.#past.delete(oldest);
    return call;
  }
}

function endIn(reported: ObjectView | undefined): TaskOutcome['status'] | undefined {
  const status = reported?.string('status');
  return status === 'completed' || status === 'failed' || status === 'cancelled' ? status : undefined;
}

function keyOf(direction: Direction, conversation: number, task: string): string {
  return `${direction === 'client_to_server' ? 0 : 1}${conversation}:${inOwnMemory(task)}`;
}
