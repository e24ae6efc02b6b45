import { compact } from '../json/layout.ts';
import type { JsonText } from '../model/entry.ts';
import type { RuleOutcome } from '../model/rule-outcome.ts';
import { errorAnswer } from '../protocol/answer-text.ts';
import { readEnvelope } from '../protocol/envelope.ts';
import { doubtIn, hasId, hasMethod } from '../protocol/message-doubt.ts';
import type { Decision, HeldMessage, InterceptMode, Settlement, UnreadTraffic } from './held-message.ts';
import type { ReleaseReport } from './session-control.ts';

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
  readonly wants: (message: HeldMessage) => boolean;
  /** Applies the rules to a message; `undefined` if none applies. Absent if the session has no rules. */
  readonly rule?: ((message: HeldMessage) => RuleOutcome | undefined) | undefined;
  readonly events: InterceptorEvents;
}

export interface InterceptorEvents {
  onHeld(held: HeldMessage): void;
  onReleased(release: ReleaseReport, held: HeldMessage): void;
  /** Rules have changed, delayed, held, dropped or answered a message. */
  onRuled(message: HeldMessage, outcome: RuleOutcome): void;
  /** Traffic could not be judged. It was refused, or forwarded all the same. */
  onUnread(traffic: UnreadTraffic, isRefused: boolean): void;
  onMode(mode: InterceptMode): void;
}

type Settle = (settlement: Settlement) => void;

interface WaitingMessage {
  readonly held: HeldMessage;
  readonly settle: Settle;
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

  /** Whether the session is ending: held messages have been released, and no further message is held. */
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

  /**
   * Asks what to do with messages that arrived together. Calls `onSettled` once all are settled, mostly before this
   * returns. The returned function drops those that are still held, because their outcome is no longer needed.
   */
  ask(
    texts: readonly JsonText[],
    from: Pick<HeldMessage, 'direction' | 'atMs' | 'conversation' | 'exchange' | 'inBatch' | 'doubt'>,
    onSettled: (settled: readonly Settlement[]) => void,
  ): () => void {
    const untilMs = from.atMs + this.#options.timeoutMs;
    const settled: Settlement[] = [];
    let open = texts.length;
    const settles = texts.map(
      (_, index): Settle =>
        (settlement) => {
          settled[index] = settlement;
          open--;
          if (open === 0) onSettled(settled);
        },
    );
    for (const [index, text] of texts.entries()) {
      this.#admit({ ...from, id: '', text, untilMs }, settles[index] as Settle);
    }
    return () => {
      for (const [id, { settle }] of this.#waiting) {
        if (settles.includes(settle)) this.decide(id, { action: 'drop' }, 'end');
      }
    };
  }

  /** Traffic arrived that cannot be read, and so neither held nor ruled on. Returns whether it must not be forwarded. */
  unread(traffic: UnreadTraffic): boolean {
    const { events, failsClosed } = this.#options;
    events.onUnread(traffic, failsClosed);
    return failsClosed;
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
  decide(id: string, decision: Decision, by: ReleaseReport['by'] = 'screen'): boolean {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return false;
    const { held, settle, timer } = waiting;
    clearTimeout(timer);
    this.#waiting.delete(id);
    const heldMs = Math.max(0, this.#options.nowMs() - held.atMs);
    const settlement = { ...settlementOf(held, withoutEmptyEdit(decision, held)), by, heldMs };
    this.#options.events.onReleased(settlement, held);
    settle(settlement);
    return true;
  }

  /**
   * A signal arrived that may end the session. Forwards what is held, so that it arrives before the signal; in
   * fail-closed mode it stays held. Later messages are held as before, because the server may survive the signal.
   */
  signalled(): void {
    for (const goOn of [...this.#delays]) goOn();
    if (this.#options.failsClosed) return;
    for (const { held } of [...this.#waiting.values()]) this.#forward(held, 'end');
  }

  /**
   * Releases every held message, and holds no more. In fail-closed mode held messages are refused, and so are later
   * ones that would be held. Rules continue to apply.
   */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const goOn of [...this.#delays]) goOn();
    for (const { held } of [...this.#waiting.values()]) this.#giveUp(held, 'end');
    if (!this.#options.failsClosed) this.#mode = 'passthrough';
    this.#look();
  }

  #admit(given: HeldMessage, settle: Settle): void {
    const { rule, wants } = this.#options;
    const doubt = given.doubt ?? doubtIn(given.text);
    const message = doubt === undefined ? given : this.#identified(given);
    if (doubt !== undefined && this.unread({ ...message, why: doubt, of: message.id })) {
      const why = `it cannot be checked: ${doubt}`;
      const decision = refusal(message, why);
      settle(settlementOf(message, decision.action === 'drop' ? { ...decision, why } : decision));
      return;
    }
    const outcome = rule?.(message);
    if (outcome !== undefined) this.#follow(outcome, message, settle);
    else if (this.#mode === 'intercept' && wants(message)) this.#hold(this.#identified(message), settle);
    else settle(settlementOf(message, { action: 'forward' }));
  }

  #identified(message: HeldMessage): HeldMessage {
    return message.id === '' ? { ...message, id: this.#options.newId() } : message;
  }

  #follow(outcome: RuleOutcome, message: HeldMessage, settle: Settle): void {
    const { delayMs, holds, end, text, rules } = outcome;
    const ruled = this.#identified(message);
    this.#options.events.onRuled(ruled, outcome);
    const goOn = (): void => {
      if (end !== undefined) settle(settlementOf(ruled, end));
      else if (holds || (this.#mode === 'intercept' && this.#options.wants(message))) {
        const changedText = text === message.text ? undefined : text;
        this.#hold({ ...ruled, changedText, rule: holds ? rules.at(-1) : undefined }, settle);
      } else settle(settlementOf(ruled, withoutEmptyEdit({ action: 'edit', text }, message)));
    };
    if (delayMs > 0 && !this.#isClosed) this.#delay(delayMs, goOn);
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

  #hold(held: HeldMessage, settle: Settle): void {
    const { id, untilMs } = held;
    const { nowMs, events } = this.#options;
    if (this.#isClosed) {
      settle(settlementOf(held, this.#options.failsClosed ? refusal(held, REFUSALS.end) : forwarding(held)));
      return;
    }
    const timer = setTimeout(() => this.#giveUp(held, 'timeout'), Math.max(0, untilMs - nowMs()));
    this.#waiting.set(id, { held, settle, timer });
    events.onHeld(held);
  }

  #forward(held: HeldMessage, by: ReleaseReport['by']): void {
    this.decide(held.id, forwarding(held), by);
  }

  #giveUp(held: HeldMessage, by: ReleaseReport['by']): void {
    if (this.#options.failsClosed) this.decide(held.id, refusal(held, REFUSALS[by]), by);
    else this.#forward(held, by);
  }

  /** No control client is left to decide. If the session started in `intercept` mode, it stays in that mode. */
  #leftAlone(): void {
    for (const { held } of [...this.#waiting.values()]) this.#giveUp(held, 'screen gone');
    if (this.#options.mode === 'passthrough') this.setMode('passthrough');
  }

  #look(): void {
    const isWatching = this.#mode === 'intercept' || this.#options.rule !== undefined;
    if (isWatching === this.isWatching) return;
    this.isWatching = isWatching;
    if (!isWatching) for (const onOpen of [...this.#gates]) onOpen();
  }
}

function settlementOf({ id, text, atMs, inBatch }: HeldMessage, decision: Decision): Settlement {
  return { id, text, atMs, inBatch, decision };
}

/** The default decision: forward the message as the rules left it. */
function forwarding({ changedText }: HeldMessage): Decision {
  return changedText === undefined ? { action: 'forward' } : { action: 'edit', text: changedText };
}

/** Whitespace-only edits count as "forward". */
function withoutEmptyEdit(decision: Decision, { text }: HeldMessage): Decision {
  if (decision.action !== 'edit') return decision;
  const isSame = decision.text === text || compact(decision.text) === compact(text);
  return isSame ? { action: 'forward' } : decision;
}

const REFUSALS: Readonly<Record<ReleaseReport['by'], string>> = {
  timeout: 'held, and not released in time',
  'screen gone': 'held, and no screen was left to release it',
  end: 'held, and the session ended before it was released',
  screen: 'held, and not released',
  mode: 'held, and not released',
};

/** The decision in fail-closed mode: drop the message. A request is answered with an error; a response becomes one. */
function refusal({ text, direction }: HeldMessage, reason: string): Decision {
  const { kind, id } = readEnvelope(text);
  const isUnclear = kind === 'invalid' || (kind === 'notification' && hasId(text));
  // The client may take an unclear message for a request.
  const answered = isUnclear && direction === 'client_to_server' ? (id ?? 'null') : id;
  if (answered === undefined || (kind === 'notification' && !isUnclear)) return { action: 'drop' };
  // Anything but a request of the server may be a response, for which the client waits.
  const isResponse =
    kind === 'response' || (kind === 'invalid' && direction === 'server_to_client' && !hasMethod(text));
  return { action: isResponse ? 'edit' : 'answer', text: errorAnswer(answered, reason) };
}
