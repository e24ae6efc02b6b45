import type { OrphanAnswer } from '../../../src/analysis/calls/call.ts';
import { type Direction, type MessageEntry, opposite } from '../../../src/model/entry.ts';
import { servedCall } from './bystander.ts';
import { Script } from './call-script.ts';
import { newCall, type TrueCall } from './call-truth.ts';

const VERSION = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

/** The fields of a generated request. */
export interface Asking {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** The params that a retry adds. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly isModern?: boolean;
  readonly retries?: TrueCall;
  readonly origin?: TrueCall;
}

/** Records the generated messages, and which of them belong together. */
export class SimulatedWire {
  readonly script: Script = new Script();
  readonly calls: TrueCall[] = [];
  readonly orphans: { readonly sequence: number; readonly why: OrphanAnswer['why'] }[] = [];
  readonly isHttp: boolean;
  /** The ids that were answered, with direction and conversation. */
  protected readonly answered: Set<string> = new Set();
  #ids = 0;
  #exchanges = 0;

  constructor(isHttp: boolean) {
    this.isHttp = isHttp;
  }

  protected begin(direction: Direction, conversation: number, asking: Asking, chance: number): TrueCall {
    const { method, params = {}, input = {}, isModern = false, retries, origin } = asking;
    const inUse = this.calls
      .filter((call) => call.stage === 'open' && call.direction === direction)
      .map(({ id }) => id);
    const fresh = chance % 3 === 0 ? String(this.#ids++ >> 2) : this.#ids++ >> 2;
    const id = chance % 11 === 0 ? (inUse[0] ?? fresh) : fresh;
    const token = chance % 5 === 0 ? 'shared' : chance % 2 === 0 ? id : undefined;
    const meta = { ...(isModern && VERSION), ...(token !== undefined && { progressToken: token }) };
    const all = { ...params, ...input, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
    const exchange = this.isHttp ? this.#exchangeFor(direction, conversation, chance) : undefined;
    const request = this.script.say(
      direction,
      { id, method, params: all },
      { conversation, exchange, ...batch(chance) },
    );
    const sent = JSON.stringify(all).length;
    for (const other of this.calls) {
      const taken = other.stage === 'open' && other.direction === direction && other.conversation === conversation;
      if (taken && other.id === id && !(this.isHttp && conversation === 0)) other.supersededBy ??= request.sequence;
    }
    if (retries !== undefined) return this.#goOn(retries, request, { id, token, exchange, sent });
    const call = newCall({ request, method, params, isModern, id, token, exchange, sent, origin });
    this.calls.push(call);
    if (direction === 'server_to_client' && method !== 'ping') this.#nest(call);
    return call;
  }

  #goOn(call: TrueCall, retry: MessageEntry, more: Pick<TrueCall, 'id' | 'token' | 'exchange' | 'sent'>): TrueCall {
    call.rounds.push({ answer: call.answer?.sequence ?? -1, retry: retry.sequence });
    if (call.question !== undefined) call.question.untilMs = retry.atMs;
    const sent = call.sent + more.sent;
    return Object.assign(call, more, { asked: retry, answer: undefined, stage: 'open', exchangeIsOver: false, sent });
  }

  #nest(call: TrueCall): void {
    const parent = servedCall(this.calls, call.conversation, call.exchange, call.method);
    parent?.nested.push(call.request.sequence);
    if (call.method !== 'elicitation/create' || parent === undefined) return;
    const question = { sinceMs: call.request.atMs, untilMs: Number.POSITIVE_INFINITY };
    parent.questions.push(question);
    call.question = question;
  }

  protected say(call: TrueCall, outcome: object): void {
    const { direction, conversation, id, asked: requested } = call;
    const exchange = this.isHttp && direction === 'client_to_server' ? call.exchange : undefined;
    call.answer = this.script.say(
      opposite(direction),
      { id, ...outcome },
      { conversation, exchange, answers: requested },
    );
    this.answered.add(JSON.stringify([direction, conversation, id]));
    call.received += JSON.stringify(Object.values(outcome)[0]).length;
    if (call.question !== undefined && call.direction === 'server_to_client') call.question.untilMs = this.script.nowMs;
  }

  protected taskOf(call: TrueCall): TrueCall | undefined {
    return this.calls.find(({ request, stage }) => request.sequence === call.origin && stage === 'task');
  }

  protected endTask(call: TrueCall, status: 'completed' | 'failed' | 'cancelled', by: MessageEntry): void {
    call.taskOutcome = { status, sequence: by.sequence, afterMs: by.atMs - call.request.atMs };
    this.over(call);
  }

  protected over(call: TrueCall): void {
    call.stage = 'over';
    call.overAfter = this.script.entries.length;
  }

  protected markCancelled(call: TrueCall, by: number | undefined): void {
    call.isCancelled = true;
    call.cancelledBy = by;
    if (call.direction === 'server_to_client' && call.question) call.question.untilMs = this.script.nowMs;
    call.question = undefined;
  }

  /** A client's request has its own exchange or shares one with a batch; a server's request comes in any exchange. */
  #exchangeFor(direction: Direction, conversation: number, chance: number): number {
    const [last] = this.calls.filter((call) => call.conversation === conversation && !call.exchangeIsOver).slice(-1);
    const shares = direction === 'server_to_client' ? chance % 2 === 0 : chance % 7 === 0;
    return (shares ? last?.exchange : undefined) ?? this.#exchanges++;
  }

  protected one(passes: (call: TrueCall) => boolean, n: number): TrueCall | undefined {
    const some = this.calls.filter(passes);
    return some[n % Math.max(1, some.length)];
  }
}

function batch(chance: number): { readonly batch?: string } {
  return chance % 13 === 0 ? { batch: '{"frame":0,"index":0,"of":2}' } : {};
}
