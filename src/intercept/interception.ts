import type { Filter } from '../analysis/filter/filter.ts';
import type { FilterSubject } from '../analysis/filter/filter-subject.ts';
import { type Direction, type JsonText, side } from '../model/entry.ts';
import { ReelError } from '../model/errors.ts';
import type { RuleOutcome } from '../model/rule-outcome.ts';
import { answerText } from '../protocol/answer-text.ts';
import { readEnvelope } from '../protocol/envelope.ts';
import type { Redactor } from '../redact/redactor.ts';
import { checkedText, checkedValue, type EditedText, withoutPlaceholders } from './edited-text.ts';
import type { Decision, HeldMessage, InterceptMode, UnreadTraffic } from './held-message.ts';
import { Interceptor } from './interceptor.ts';
import { OpenRequests } from './open-requests.ts';
import type {
  ActionResult,
  HoldState,
  Injection,
  LiveSessionFacts,
  ReleaseReport,
  RequestedDecision,
  SessionControl,
  SessionListener,
} from './session-control.ts';

/** Rules that change messages automatically. */
export interface ActingRules {
  rule(subject: FilterSubject): RuleOutcome | undefined;
  /** How often each rule has applied. */
  counts(): readonly { readonly name: string; readonly applied: number }[];
}

/** Options for holding and changing messages. */
export interface InterceptionOptions {
  readonly mode?: InterceptMode | undefined;
  /** Selects the messages to hold; all if absent. */
  readonly filter?: Filter | undefined;
  readonly timeoutMs?: number | undefined;
  /** Whether messages may overtake held ones, on streams that keep an order. */
  readonly outOfOrder?: boolean | undefined;
  /** Whether messages without a decision are dropped instead of forwarded. */
  readonly failsClosed?: boolean | undefined;
  /** Rules that apply without a user. */
  readonly rules?: ActingRules | undefined;
}

export interface InterceptionDeps {
  readonly facts: LiveSessionFacts;
  /** Returns the id for the next message that is held or changed. */
  readonly newId: () => string;
  readonly nowMs: () => number;
  readonly redactor: Redactor | undefined;
  /** Records an action; `raw` is the text of a JSON object. */
  readonly recordAction: (raw: JsonText, conversation: number | undefined) => void;
  readonly nextSeq: () => number;
  readonly save: (path: string | undefined) => Promise<string>;
  /** Ends the session; absent if only its owner can. */
  readonly requestEnd?: (() => void) | undefined;
}

/** Injects a message. Throws a `ReelError` if there is no receiver. */
export type MessageInjector = (direction: Direction, text: string, conversation: number | undefined) => void;

const DEFAULT_HOLD_MS = 30_000;

/** Connects a session's interceptor with its control clients, filter and rules, and records every hold and decision. */
export class Interception implements SessionControl {
  readonly interceptor: Interceptor;
  readonly #options: InterceptionOptions;
  readonly #deps: InterceptionDeps;
  readonly #requests = new OpenRequests();
  readonly #listeners = new Set<SessionListener>();
  #filter: Filter | undefined;
  #injector: MessageInjector | undefined;
  /** The filter subject of the latest message, cached because rules and filter use it one after the other. */
  #requested: { readonly message: HeldMessage; readonly subject: FilterSubject } | undefined;
  #lastMode: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(options: InterceptionOptions, deps: InterceptionDeps) {
    const { mode = 'passthrough', timeoutMs = DEFAULT_HOLD_MS, failsClosed = false, filter, rules } = options;
    this.#options = options;
    this.#deps = deps;
    this.#filter = filter;
    this.interceptor = new Interceptor({
      mode,
      timeoutMs,
      failsClosed,
      nowMs: deps.nowMs,
      newId: deps.newId,
      wants: (message) => this.#wants(message),
      rule: rules && ((message) => rules.rule(this.#subjectOf(message))),
      events: {
        onHeld: (held) => this.#reportHeld(held),
        onReleased: (release, held) => this.#reportReleased(release, held),
        onRuled: (message, outcome) => this.#reportRuled(message, outcome),
        onUnread: (traffic, isRefused) => this.#reportUnread(traffic, isRefused),
        onMode: () => this.#reportState(),
      },
    });
  }

  get facts(): LiveSessionFacts {
    return this.#deps.facts;
  }

  get state(): HoldState {
    const { timeoutMs = DEFAULT_HOLD_MS, failsClosed = false } = this.#options;
    return {
      mode: this.interceptor.mode,
      filter: this.#filter?.text,
      holdTimeoutMs: timeoutMs,
      failClosed: failsClosed,
    };
  }

  get held(): readonly HeldMessage[] {
    return this.interceptor.held;
  }

  get nextSeq(): number {
    return this.#deps.nextSeq();
  }

  /** Whether a control client is connected. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  get outOfOrder(): boolean {
    return this.#options.outOfOrder ?? false;
  }

  /** Sets how messages are injected on this transport. */
  set injector(injector: MessageInjector) {
    this.#injector = injector;
  }

  listen(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  takeCharge(): () => void {
    const leave = this.interceptor.takeCharge();
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      leave();
      if (this.interceptor.isInCharge) return;
      this.#filter = this.#options.filter;
      this.#reportState();
    };
  }

  setMode(mode: InterceptMode, filter?: string | undefined): Promise<ActionResult> {
    // Runs in the order of the calls, because loading a filter is asynchronous.
    const set = this.#lastMode.then(() => this.#setMode(mode, filter));
    this.#lastMode = set.catch(() => undefined);
    return set;
  }

  decide(id: string, requested: RequestedDecision): Promise<ActionResult> {
    return promised(() => {
      const held = this.interceptor.find(id);
      if (held === undefined)
        throw new ReelError('session-live', `No held message has the id ${id}`, {
          hint: 'It may have been released.',
        });
      const { decision, hints } = this.#decisionFor(held, requested);
      this.interceptor.decide(id, decision);
      return { hints };
    });
  }

  inject({ direction, text, conversation, confirmed = false }: Injection): Promise<ActionResult> {
    return promised(() => {
      if (this.#isOver || this.#injector === undefined) throw new ReelError('session-live', 'The session has ended');
      const plain = withoutPlaceholders(text, undefined, this.#deps.redactor);
      const { hints } = checkedText(plain, confirmed);
      this.#injector(direction, plain, conversation);
      this.#recordAction(`"action":"inject","dir":"${side(direction)}"`, conversation);
      return { hints };
    });
  }

  save(path?: string | undefined): Promise<string> {
    return this.#deps.save(path);
  }

  requestEnd(): void {
    const { requestEnd } = this.#deps;
    if (requestEnd === undefined) {
      throw new ReelError('session-live', 'This session can only be stopped where it was started');
    }
    // The caller gets its reply before the session ends.
    setImmediate(requestEnd);
  }

  /** Lines were appended to the trace file. */
  linesAdded(firstSeq: number, text: string): void {
    if (this.#listeners.size === 0) return;
    const lines = text.split('\n').slice(0, -1);
    for (const listener of this.#listeners) listener.onLines?.(firstSeq, lines);
  }

  /** A signal arrived that the server may survive. */
  signalled(): void {
    this.interceptor.signalled();
  }

  /** Releases held messages, and holds no more. */
  release(): void {
    this.interceptor.close();
  }

  end(): void {
    this.#isOver = true;
    this.interceptor.close();
    const applied = this.#options.rules?.counts();
    if (applied !== undefined) this.#recordAction(`"action":"rules","applied":${JSON.stringify(applied)}`, 0);
    for (const listener of [...this.#listeners]) listener.onEnd?.();
  }

  async #setMode(mode: InterceptMode, filter: string | undefined): Promise<ActionResult> {
    if (mode === 'intercept') {
      const requested = filter === undefined || filter.trim() === '' ? undefined : await loaded(filter);
      const isSame = requested?.text === this.#filter?.text;
      this.#filter = requested;
      if (this.interceptor.mode === mode && !isSame) this.#reportState();
    }
    this.interceptor.setMode(mode);
    return { hints: [] };
  }

  #wants(message: HeldMessage): boolean {
    // Even without a filter, the request is remembered, because a later filter may match its response.
    const subject = this.#subjectOf(message);
    return this.#filter?.matches(subject) ?? true;
  }

  #subjectOf(message: HeldMessage): FilterSubject {
    if (this.#requested?.message !== message) {
      const { direction, text, atMs, conversation } = message;
      const entry = { kind: 'message', sequence: 0, proxyId: '', atMs, direction, text, conversation } as const;
      const subject = { entry, call: this.#requests.callOf(message), server: this.#deps.facts.label };
      this.#requested = { message, subject };
    }
    return this.#requested.subject;
  }

  #decisionFor(held: HeldMessage, requested: RequestedDecision): { decision: Decision; hints: readonly string[] } {
    switch (requested.action) {
      case 'forward': {
        const { changedText } = held;
        const decision = changedText === undefined ? FORWARD : ({ action: 'edit', text: changedText } as const);
        return { decision, hints: [] };
      }
      case 'drop':
        return { decision: { action: 'drop' }, hints: [] };
      case 'edit': {
        const plain = withoutPlaceholders(requested.text, held, this.#deps.redactor);
        const { text, hints } = checkedText(plain, requested.confirmed ?? false);
        return { decision: { action: 'edit', text }, hints };
      }
      case 'answer':
        return this.#answerFor(held, requested);
    }
  }

  #answerFor(
    held: HeldMessage,
    requested: Extract<RequestedDecision, { action: 'answer' }>,
  ): { decision: Decision; hints: readonly string[] } {
    const { kind, id } = readEnvelope(held.text);
    if (id === undefined || (kind !== 'request' && kind !== 'response')) {
      throw new ReelError(
        'usage',
        `A ${kind === 'notification' ? 'notification' : 'message without an id'} cannot be answered`,
      );
    }
    const key = 'result' in requested ? 'result' : 'error';
    const value = checkedValue('result' in requested ? requested.result : requested.error, key);
    const { text, hints }: EditedText = checkedText(
      withoutPlaceholders(answerText(id, key, value), held, this.#deps.redactor),
      false,
    );
    // The receiver of a held response gets this one instead.
    return { decision: { action: kind === 'request' ? 'answer' : 'edit', text }, hints };
  }

  #reportHeld(held: HeldMessage): void {
    const { id, direction, text, conversation, rule } = held;
    const why = rule === undefined ? '' : `,"rule":${JSON.stringify(rule)}`;
    this.#recordAction(`"action":"hold","of":"${id}","dir":"${side(direction)}"${why},"text":${text}`, conversation);
    for (const listener of this.#listeners) listener.onHeld?.(held);
  }

  #reportReleased(release: ReleaseReport, held: HeldMessage): void {
    const { id, decision, by, heldMs } = release;
    if (decision.action === 'edit') this.#requests.edited(held, decision.text);
    this.#recordAction(
      `"action":"release","of":"${id}","as":"${decision.action}","by":"${by}","ms":${heldMs}`,
      held.conversation,
    );
    for (const listener of this.#listeners) listener.onReleased?.(release);
  }

  #reportRuled({ id, conversation }: HeldMessage, { rules, delayMs }: RuleOutcome): void {
    const delay = delayMs > 0 ? `,"delayMs":${delayMs}` : '';
    this.#recordAction(`"action":"rule","of":"${id}","rules":${JSON.stringify(rules)}${delay}`, conversation);
  }

  #reportUnread({ direction, conversation, exchange, why, of }: UnreadTraffic, isRefused: boolean): void {
    const place = exchange === undefined ? '' : `,"exchange":${exchange}`;
    const message = of === undefined ? '' : `,"of":"${of}"`;
    const outcome = isRefused ? 'refuse' : 'forward';
    this.#recordAction(
      `"action":"unread"${message},"dir":"${side(direction)}"${place},"as":"${outcome}","why":${JSON.stringify(why)}`,
      conversation,
    );
  }

  #recordAction(members: string, conversation: number | undefined): void {
    this.#deps.recordAction(`{${members}}`, conversation);
  }

  #reportState(): void {
    for (const listener of this.#listeners) listener.onState?.(this.state);
  }
}

const FORWARD: Decision = { action: 'forward' };

async function loaded(filter: string): Promise<Filter> {
  const { loadFilter } = await import('../analysis/filter/filter.ts');
  return loadFilter(filter);
}

/** Turns a thrown error into a rejection. */
async function promised<Result>(work: () => Result): Promise<Result> {
  return work();
}
