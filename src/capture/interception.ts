import type { Filter } from '../analysis/filter/filter.ts';
import type { FilterSubject } from '../analysis/filter/filter-subject.ts';
import type {
  ActionResult,
  HoldState,
  Injection,
  SessionControl,
  LiveSessionFacts,
  SessionListener,
  RequestedDecision,
} from '../control/session-control.ts';
import type { IncomingMessage, Decision, HeldMessage, InterceptMode, ReleaseCause } from '../intercept/held-message.ts';
import { Interceptor } from '../intercept/interceptor.ts';
import type { Direction, Entry } from '../model/entry.ts';
import { ReelError } from '../model/errors.ts';
import type { RuleOutcome } from '../model/ruling.ts';
import { answerText } from '../protocol/answer-text.ts';
import { readEnvelope } from '../protocol/envelope.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { InterceptionOptions } from './capture-options.ts';
import { checkedText, checkedValue, type EditedText, withoutPlaceholders } from './edited-text.ts';
import { type EntryMaker, eventEntry, side } from './entry-maker.ts';
import { OpenRequests } from './open-requests.ts';

export interface InterceptionDeps {
  readonly facts: LiveSessionFacts;
  readonly maker: EntryMaker;
  readonly nowMs: () => number;
  readonly redactor: Redactor | undefined;
  readonly record: (entries: readonly Entry[]) => void;
  readonly nextSeq: () => number;
  readonly save: (path: string | undefined) => Promise<string>;
  /** Has the session end; absent where nobody but its owner can. */
  readonly requestEnd?: (() => void) | undefined;
}

/** Sends a message that neither side has said. It throws a `ReelError` where there is nobody to send it to. */
export type MessageInjector = (direction: Direction, text: string, conversation: number | undefined) => void;

const DEFAULT_HOLD_MS = 30_000;

/** A running session in the hands of those who watch and steer it: what is held, what becomes of it, what is recorded of that. */
export class Interception implements SessionControl {
  readonly desk: Interceptor;
  readonly #options: InterceptionOptions;
  readonly #around: InterceptionDeps;
  readonly #requests = new OpenRequests();
  readonly #listeners = new Set<SessionListener>();
  #filter: Filter | undefined;
  #injector: MessageInjector | undefined;
  /** What was found out about the message that was asked about last: rules and the filter ask one after the other. */
  #asked: { readonly arrival: IncomingMessage; readonly subject: FilterSubject } | undefined;
  #lastMode: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(options: InterceptionOptions, around: InterceptionDeps) {
    const { mode = 'passthrough', timeoutMs = DEFAULT_HOLD_MS, failsClosed = false, filter, rules } = options;
    this.#options = options;
    this.#around = around;
    this.#filter = filter;
    this.desk = new Interceptor({
      mode,
      timeoutMs,
      failsClosed,
      nowMs: around.nowMs,
      newId: () => around.maker.newId(),
      wants: (arrival) => this.#wants(arrival),
      rule: rules && ((arrival) => rules.rule(this.#subjectOf(arrival))),
      events: {
        onHeld: (held) => this.#tellHeld(held),
        onReleased: (release, held) => this.#tellReleased(release, held),
        onRuled: (arrival, id, ruling) => this.#tellRuled(arrival, id, ruling),
        onMode: () => this.#tellState(),
      },
    });
  }

  get facts(): LiveSessionFacts {
    return this.#around.facts;
  }

  get state(): HoldState {
    const { timeoutMs = DEFAULT_HOLD_MS, failsClosed = false } = this.#options;
    return { mode: this.desk.mode, filter: this.#filter?.text, holdTimeoutMs: timeoutMs, failClosed: failsClosed };
  }

  get held(): readonly HeldMessage[] {
    return this.desk.held;
  }

  get nextSeq(): number {
    return this.#around.nextSeq();
  }

  get outOfOrder(): boolean {
    return this.#options.outOfOrder ?? false;
  }

  /** How messages of our own are sent on this transport. */
  set injector(injector: MessageInjector) {
    this.#injector = injector;
  }

  listen(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  takeCharge(): () => void {
    const leave = this.desk.takeCharge();
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      leave();
      if (this.desk.isInCharge) return;
      this.#filter = this.#options.filter;
      this.#tellState();
    };
  }

  setMode(mode: InterceptMode, filter?: string | undefined): Promise<ActionResult> {
    // In the order in which it was wanted: to read a filter takes longer than to do without one.
    const set = this.#lastMode.then(() => this.#setMode(mode, filter));
    this.#lastMode = set.catch(() => undefined);
    return set;
  }

  decide(id: string, wanted: RequestedDecision): Promise<ActionResult> {
    return promised(() => {
      const held = this.desk.find(id);
      if (held === undefined) throw new ReelError('session-live', `No message ${id} is held any more`);
      const { decision, hints } = this.#decisionFor(held, wanted);
      this.desk.decide(id, decision);
      return { hints };
    });
  }

  inject({ direction, text, conversation, confirmed = false }: Injection): Promise<ActionResult> {
    return promised(() => {
      if (this.#isOver || this.#injector === undefined) throw new ReelError('session-live', 'The session is over');
      const plain = withoutPlaceholders(text, undefined, this.#around.redactor);
      const { hints } = checkedText(plain, confirmed);
      this.#injector(direction, plain, conversation);
      this.#recordAction(`"action":"inject","dir":"${side(direction)}"`, conversation);
      return { hints };
    });
  }

  save(path?: string | undefined): Promise<string> {
    return this.#around.save(path);
  }

  requestEnd(): void {
    const { requestEnd } = this.#around;
    if (requestEnd === undefined) {
      throw new ReelError('session-live', 'This session can only be ended where it was started');
    }
    // Whoever asked for it is told first that it was heard.
    setImmediate(requestEnd);
  }

  /** Lines were added to the trace. */
  linesAdded(firstSeq: number, text: string): void {
    if (this.#listeners.size === 0) return;
    const lines = text.split('\n').slice(0, -1);
    for (const listener of this.#listeners) listener.onLines?.(firstSeq, lines);
  }

  /** Forwards what is held, and holds nothing any more. */
  release(): void {
    this.desk.close();
  }

  /** The session is over. */
  end(): void {
    this.#isOver = true;
    this.desk.close();
    const applied = this.#options.rules?.counts();
    if (applied !== undefined) this.#recordAction(`"action":"rules","applied":${JSON.stringify(applied)}`, 0);
    for (const listener of [...this.#listeners]) listener.onEnd?.();
  }

  async #setMode(mode: InterceptMode, filter: string | undefined): Promise<ActionResult> {
    if (mode === 'intercept') {
      const wanted = filter === undefined || filter.trim() === '' ? undefined : await loaded(filter);
      const isSame = wanted?.text === this.#filter?.text;
      this.#filter = wanted;
      if (this.desk.mode === mode && !isSame) this.#tellState();
    }
    this.desk.setMode(mode);
    return { hints: [] };
  }

  #wants(arrival: IncomingMessage): boolean {
    // Even where all is wanted the request is remembered: another filter may ask about its answer.
    const subject = this.#subjectOf(arrival);
    return this.#filter?.matches(subject) ?? true;
  }

  #subjectOf(arrival: IncomingMessage): FilterSubject {
    if (this.#asked?.arrival !== arrival) {
      const { direction, text, atMs, conversation } = arrival;
      const entry = { kind: 'message', sequence: 0, proxyId: '', atMs, direction, text, conversation } as const;
      const subject = { entry, call: this.#requests.callOf(arrival), server: this.#around.facts.label };
      this.#asked = { arrival, subject };
    }
    return this.#asked.subject;
  }

  #decisionFor(held: HeldMessage, wanted: RequestedDecision): { decision: Decision; hints: readonly string[] } {
    switch (wanted.action) {
      case 'forward': {
        const { changedText } = held;
        const decision = changedText === undefined ? FORWARD : ({ action: 'edit', text: changedText } as const);
        return { decision, hints: [] };
      }
      case 'drop':
        return { decision: { action: 'drop' }, hints: [] };
      case 'edit': {
        const plain = withoutPlaceholders(wanted.text, held, this.#around.redactor);
        const { text, hints } = checkedText(plain, wanted.confirmed ?? false);
        return { decision: { action: 'edit', text }, hints };
      }
      case 'answer':
        return this.#answerFor(held, wanted);
    }
  }

  #answerFor(
    held: HeldMessage,
    wanted: Extract<RequestedDecision, { action: 'answer' }>,
  ): { decision: Decision; hints: readonly string[] } {
    const { kind, id } = readEnvelope(held.text);
    if (id === undefined || (kind !== 'request' && kind !== 'response')) {
      throw new ReelError(
        'usage',
        `A ${kind === 'notification' ? 'notification' : 'message without an id'} cannot be answered`,
      );
    }
    const key = 'result' in wanted ? 'result' : 'error';
    const value = checkedValue('result' in wanted ? wanted.result : wanted.error, key);
    const { text, hints }: EditedText = checkedText(
      withoutPlaceholders(answerText(id, key, value), held, this.#around.redactor),
      false,
    );
    // Whoever waits for a response that is held gets ours instead.
    return { decision: { action: kind === 'request' ? 'answer' : 'edit', text }, hints };
  }

  #tellHeld(held: HeldMessage): void {
    const { id, direction, text, conversation, rule } = held;
    const why = rule === undefined ? '' : `,"rule":${JSON.stringify(rule)}`;
    this.#recordAction(`"action":"hold","of":"${id}","dir":"${side(direction)}"${why},"text":${text}`, conversation);
    for (const listener of this.#listeners) listener.onHeld?.(held);
  }

  #tellReleased(release: ReleaseCause, held: HeldMessage): void {
    const { id, decision, by, heldMs } = release;
    if (decision.action === 'edit') this.#requests.sent({ ...held, text: decision.text });
    this.#recordAction(
      `"action":"release","of":"${id}","as":"${decision.action}","by":"${by}","ms":${heldMs}`,
      held.conversation,
    );
    for (const listener of this.#listeners) listener.onReleased?.(release);
  }

  #tellRuled({ conversation }: IncomingMessage, id: string, { rules, delayMs }: RuleOutcome): void {
    const delay = delayMs > 0 ? `,"delayMs":${delayMs}` : '';
    this.#recordAction(`"action":"rule","of":"${id}","rules":${JSON.stringify(rules)}${delay}`, conversation);
  }

  #recordAction(members: string, conversation: number | undefined): void {
    const event = eventEntry('mcpreel.action', this.#around.nowMs(), {}, conversation);
    this.#around.record([{ ...event, raw: `{${members}}` }]);
  }

  #tellState(): void {
    for (const listener of this.#listeners) listener.onState?.(this.state);
  }
}

const FORWARD: Decision = { action: 'forward' };

async function loaded(filter: string): Promise<Filter> {
  const { loadFilter } = await import('../analysis/filter/filter.ts');
  return loadFilter(filter);
}

/** What is thrown comes out as a rejection. */
async function promised<Result>(work: () => Result): Promise<Result> {
  return work();
}
