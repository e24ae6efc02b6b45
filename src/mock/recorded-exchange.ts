import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { idKey } from '../protocol/envelope.ts';
import { isModern } from '../protocol/era.ts';
import { idAt } from '../protocol/id-splice.ts';
import type { ClientStep, RecordedDialogue, ServerMessage } from '../recorded/recorded-dialogue.ts';

/**
 * How a server message relates to a client message. `answer`: its response. `served`: it belongs to the message, as
 * progress, a log line or a server request. `aside`: it was merely sent at that time.
 */
export type ReplyRole = 'answer' | 'served' | 'aside';

/** A recorded server message within its exchange. */
export interface RecordedReply {
  readonly message: ServerMessage;
  readonly role: ReplyRole;
  /** Server requests that the client answered since the previous reply. */
  readonly waitsFor: readonly ServerMessage[];
  /** The time since the previous message of the exchange. */
  readonly delayMs: number;
  /** The subscription request whose stream carried the message. */
  readonly subscription: ClientStep | undefined;
}

/** A recorded client message with all server messages sent for it. */
export interface RecordedExchange {
  readonly conversation: number;
  readonly step: ClientStep;
  readonly method: string;
  readonly isRequest: boolean;
  /** Whether the message names its own protocol revision. */
  readonly isModern: boolean;
  /** The progress token of the request. */
  readonly token: JsonText | undefined;
  readonly replies: readonly RecordedReply[];
}

const OPENING: ReadonlySet<string> = new Set(['initialize', 'notifications/initialized', 'server/discover', 'ping']);

/** Whether a client may send this method just to see whether a server is there. */
export function isProbing(method: string): boolean {
  return OPENING.has(method);
}

/** The exchanges of the dialogues, ordered by their first messages. Notifications without replies are left out. */
export function exchangesOf(dialogues: readonly RecordedDialogue[]): RecordedExchange[] {
  const exchanges = dialogues.flatMap((dialogue) => new ExchangeWriter(dialogue).write());
  return exchanges.sort((a, b) => a.step.entry.sequence - b.step.entry.sequence);
}

interface OpenRecordedExchange extends RecordedExchange {
  readonly replies: RecordedReply[];
  /** The time of the latest message in the exchange. */
  lastMs: number;
  /** Server requests that the client answered since the last reply. */
  answered: ServerMessage[];
}

class ExchangeWriter {
  readonly #dialogue: RecordedDialogue;
  readonly #byStep = new Map<number, OpenRecordedExchange>();
  readonly #listens = new Map<string | number, ClientStep>();
  readonly #requested = new Map<ServerMessage, OpenRecordedExchange>();
  /** The exchange of the latest client message. */
  #latest: OpenRecordedExchange | undefined;
  /** Server messages sent before the first client message. */
  readonly #early: ServerMessage[] = [];

  constructor(dialogue: RecordedDialogue) {
    this.#dialogue = dialogue;
  }

  write(): RecordedExchange[] {
    for (const message of this.#dialogue.messages) {
      if (message.from === 'client') this.#step(message);
      else this.#sent(message);
    }
    return [...this.#byStep.values()].filter(
      (exchange) => (exchange.isRequest || exchange.replies.length > 0) && !isHeadersFault(exchange),
    );
  }

  #step(step: ClientStep): void {
    if (step.kind === 'response') this.#answered(step);
    if (step.method === undefined || step.kind === 'response') return;
    const { conversation } = this.#dialogue;
    const isRequest = step.kind === 'request';
    const exchange: OpenRecordedExchange = {
      conversation,
      step,
      method: step.method,
      isRequest,
      isModern: isModern(step.text),
      token: isRequest ? idAt(step.text, 'wantedProgress') : undefined,
      replies: [],
      lastMs: step.entry.atMs,
      answered: [],
    };
    this.#byStep.set(step.index, exchange);
    this.#latest = exchange;
    if (step.method === 'subscriptions/listen' && step.id !== undefined) this.#listens.set(idKey(step.id), step);
    for (const early of this.#early.splice(0)) this.#add(early, exchange, 'aside');
  }

  /** Messages after the client's response belong to the exchange of the server request. */
  #answered({ answeredRequest: requested, entry }: ClientStep): void {
    const exchange = requested && this.#requested.get(requested);
    if (requested === undefined || exchange === undefined) return;
    exchange.answered.push(requested);
    exchange.lastMs = Math.max(exchange.lastMs, entry.atMs);
    this.#latest = exchange;
  }

  #sent(message: ServerMessage): void {
    if (message.kind === 'response') {
      const exchange = message.answers === undefined ? undefined : this.#byStep.get(message.answers);
      const isFirst = exchange !== undefined && !exchange.replies.some(({ role }) => role === 'answer');
      if (isFirst) this.#add(message, exchange, 'answer');
      return;
    }
    const subscription = this.#subscriptionOf(message);
    const isWelcome = message.method === 'notifications/subscriptions/acknowledged';
    const serves = isWelcome && subscription !== undefined ? subscription.index : message.serves;
    const exchange = serves === undefined ? this.#latest : this.#byStep.get(serves);
    if (exchange === undefined) this.#early.push(message);
    else this.#add(message, exchange, serves === undefined ? 'aside' : 'served', subscription);
  }

  #subscriptionOf({ text }: ServerMessage): ClientStep | undefined {
    const id = idAt(text, 'notifiedSubscription');
    return id === undefined ? undefined : this.#listens.get(idKey(id));
  }

  #add(message: ServerMessage, exchange: OpenRecordedExchange, role: ReplyRole, subscription?: ClientStep): void {
    const { atMs } = message.entry;
    const delayMs = Math.max(0, atMs - exchange.lastMs);
    exchange.replies.push({ message, role, waitsFor: exchange.answered, delayMs, subscription });
    exchange.answered = [];
    exchange.lastMs = Math.max(exchange.lastMs, atMs);
    if (message.kind === 'request') this.#requested.set(message, exchange);
  }
}

/** A header error says nothing about the request's content, and the mock's own listener rejects bad headers itself. */
function isHeadersFault({ step, replies }: RecordedExchange): boolean {
  if (step.entry.http === undefined) return false;
  const answer = replies.find(({ role }) => role === 'answer')?.message.text;
  return answer !== undefined && ObjectView.of(answer)?.object('error')?.number('code') === HEADER_MISMATCH;
}

const HEADER_MISMATCH = -32020;
