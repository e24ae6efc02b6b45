import { compact } from '../json/layout.ts';
import type { RuleOutcome } from '../model/rule-outcome.ts';
import { errorAnswer } from '../protocol/answer-text.ts';
import { readEnvelope } from '../protocol/envelope.ts';
import type {
  DecidedBy,
  Decision,
  HeldMessage,
  IncomingMessage,
  InterceptMode,
  MessageOutcome,
  ReleaseCause,
} from './held-message.ts';

export interface InterceptorOptions {
  readonly mode: InterceptMode;
  /** How long a message is held at most, counted from its arrival. */
  readonly timeoutMs: number;
  /** Whether messages without a decision are dropped instead of forwarded. */
  readonly failsClosed: boolean;
  readonly nowMs: () => number;
  /** Returns the id for the next message that is held or changed. */
  readonly newId: () => string;
  /** Whether the filter selects this message while the mode is `intercept`. */
  readonly wants: (incoming: IncomingMessage) => boolean;
  /** Applies the rules to a message; `undefined` if none applies. Absent if the session has no rules. */
  readonly rule?: ((incoming: IncomingMessage) => RuleOutcome | undefined) | undefined;
  readonly events: InterceptorEvents;
}

export interface InterceptorEvents {
  onHeld(held: HeldMessage): void;
  onReleased(release: ReleaseCause, held: HeldMessage): void;
  /** Rules have changed, delayed, held, dropped or answered a message. */
  onRuled(incoming: IncomingMessage, id: string, outcome: RuleOutcome): void;
  onMode(mode: InterceptMode): void;
}

interface WaitingMessage {
  readonly held: HeldMessage;
  readonly settle: (settlement: MessageOutcome) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Decides what happens to each message of a session: hold, forward, edit, drop or answer. It tracks held messages,
 * timeouts and who may decide, and knows nothing of transports. Gates may skip it while `isWatching` is false.
 */
export class Interceptor {
  readonly #options: InterceptorOptions;
  readonly #waiting = new Map<string, WaitingMessage>();
  readonly #delays = new Set<() => void>();
  readonly #gates = new Set<() => void>();
  #mode: InterceptMode;
  #inCharge = 0;
  #isClosed = false;
  /** Whether any message may be held or changed. A plain field, because gates read it for every chunk. */
  isWatching = false;

  constructor(options: InterceptorOptions) {
    this.#options = options;
    this.#mode = options.mode;
    this.#look();
  }

  get mode(): InterceptMode {
    return this.#mode;
  }

  /** Whether the session is ending: held messages have been forwarded, and no further message is held. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The held messages, in order of arrival. */
  get held(): HeldMessage[] {
    return [...this.#waiting.values()].map(({ held }) => held);
  }

  find(id: string): HeldMessage | undefined {
    return this.#waiting.get(id)?.held;
  }

  /** Registers a gate. `onOpen` runs when watching stops, so that the gate can flush an unfinished message. */
  addGate(onOpen: () => void): () => void {
    this.#gates.add(onOpen);
    return () => void this.#gates.delete(onOpen);
  }

  /** Requests the outcome of a message. Most messages are settled before this returns. */
  admit(incoming: IncomingMessage, settle: (settlement: MessageOutcome) => void): void {
    const outcome = this.#isClosed ? undefined : this.#options.rule?.(incoming);
    if (outcome === undefined) {
      if (this.#mode === 'intercept' && this.#options.wants(incoming)) this.#hold(incoming, settle, undefined);
      else settle(FORWARDED);
      return;
    }
    this.#follow(outcome, incoming, settle);
  }

  setMode(mode: InterceptMode): void {
    if (this.#isClosed || mode === this.#mode) return;
    this.#mode = mode;
    this.#options.events.onMode(mode);
    if (mode === 'passthrough') for (const { held } of this.#waiting.values()) this.#forward(held, 'mode');
    this.#look();
  }

  /** Whether a control client is in charge of decisions. */
  get isInCharge(): boolean {
    return this.#inCharge > 0;
  }

  /** Registers a control client that decides. The returned function unregisters it. */
  takeCharge(): () => void {
    this.#inCharge++;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#inCharge--;
      if (this.#inCharge === 0) this.#leftAlone();
    };
  }

  /** Returns false if no held message has this id any more. */
  decide(id: string, decision: Decision, by: DecidedBy = 'screen'): boolean {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return false;
    const { held, settle, timer } = waiting;
    clearTimeout(timer);
    this.#waiting.delete(id);
    const real = withoutEmptyEdit(decision, held);
    const heldMs = Math.max(0, this.#options.nowMs() - held.atMs);
    this.#options.events.onReleased({ id, decision: real, by, heldMs }, held);
    settle({ id, decision: real });
    return true;
  }

  /** Drops the message that was admitted with this `settle`, because its outcome is no longer needed. */
  withdraw(settle: (settlement: MessageOutcome) => void): void {
    for (const [id, waiting] of this.#waiting) {
      if (waiting.settle === settle) this.decide(id, { action: 'drop' }, 'end');
    }
  }

  /** Forwards every held message, and holds no more. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const goOn of [...this.#delays]) goOn();
    for (const { held } of [...this.#waiting.values()]) this.#forward(held, 'end');
    this.#mode = 'passthrough';
    this.#look();
  }

  #follow(outcome: RuleOutcome, incoming: IncomingMessage, settle: (settlement: MessageOutcome) => void): void {
    const { delayMs, holds, end, text } = outcome;
    const id = this.#options.newId();
    this.#options.events.onRuled(incoming, id, outcome);
    const goOn = (): void => {
      if (end !== undefined) settle({ id, decision: end });
      else if (holds || (this.#mode === 'intercept' && this.#options.wants(incoming))) {
        this.#hold(incoming, settle, outcome, id);
      } else settle({ id, decision: withoutEmptyEdit({ action: 'edit', text }, incoming) });
    };
    if (delayMs > 0) this.#delay(delayMs, goOn);
    else goOn();
  }

  #delay(delayMs: number, goOn: () => void): void {
    const end = (): void => {
      clearTimeout(timer);
      this.#delays.delete(end);
      goOn();
    };
    const timer = setTimeout(end, delayMs);
    this.#delays.add(end);
  }

  #hold(
    incoming: IncomingMessage,
    settle: (settlement: MessageOutcome) => void,
    outcome: RuleOutcome | undefined,
    id: string = this.#options.newId(),
  ): void {
    const { timeoutMs, nowMs, events } = this.#options;
    const untilMs = incoming.atMs + timeoutMs;
    const changedText = outcome !== undefined && outcome.text !== incoming.text ? outcome.text : undefined;
    const rule = outcome?.holds ? outcome.rules.at(-1) : undefined;
    const held = { ...incoming, id, untilMs, ...(rule && { rule }), ...(changedText && { changedText }) };
    if (this.#isClosed) {
      settle({ id, decision: forwarding(held) });
      return;
    }
    const timer = setTimeout(() => this.#giveUp(held, 'timeout'), Math.max(0, untilMs - nowMs()));
    this.#waiting.set(id, { held, settle, timer });
    events.onHeld(held);
  }

  #forward(held: HeldMessage, by: DecidedBy): void {
    this.decide(held.id, forwarding(held), by);
  }

  #giveUp(held: HeldMessage, by: DecidedBy): void {
    if (this.#options.failsClosed) this.decide(held.id, refusal(held, by), by);
    else this.#forward(held, by);
  }

  /** No control client is left to decide. If the session started in `intercept` mode, it stays in that mode. */
  #leftAlone(): void {
    for (const { held } of [...this.#waiting.values()]) this.#giveUp(held, 'screen gone');
    if (this.#options.mode === 'passthrough') this.setMode('passthrough');
  }

  #look(): void {
    const isWatching = !this.#isClosed && (this.#mode === 'intercept' || this.#options.rule !== undefined);
    if (isWatching === this.isWatching) return;
    this.isWatching = isWatching;
    if (!isWatching) for (const onOpen of [...this.#gates]) onOpen();
  }
}

const FORWARDED: MessageOutcome = { decision: { action: 'forward' } };

/** The default decision: forward the message as the rules left it. */
function forwarding({ changedText }: HeldMessage): Decision {
  return changedText === undefined ? { action: 'forward' } : { action: 'edit', text: changedText };
}

/** Whitespace-only edits count as "forward". */
function withoutEmptyEdit(decision: Decision, { text }: IncomingMessage): Decision {
  if (decision.action !== 'edit') return decision;
  const isSame = decision.text === text || compact(decision.text) === compact(text);
  return isSame ? { action: 'forward' } : decision;
}

/** The decision in fail-closed mode: drop the message. A request is answered with an error; a response becomes one. */
function refusal({ text }: HeldMessage, by: DecidedBy): Decision {
  const { kind, id } = readEnvelope(text);
  if (id === undefined || (kind !== 'request' && kind !== 'response')) return { action: 'drop' };
  const reason = by === 'timeout' ? 'held, and not released in time' : 'held, and nobody was left to release it';
  const answer = errorAnswer(id, reason);
  return { action: kind === 'request' ? 'answer' : 'edit', text: answer };
}
