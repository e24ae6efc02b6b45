import { locate } from '../json/splice.ts';
import type { JsonText } from '../model/entry.ts';
import { idAt, withIdAt } from '../protocol/id-splice.ts';
import type { ServerMessage } from '../recorded/recorded-dialogue.ts';
import type { MessageDelivery } from '../transport/inbound/inbound-transport.ts';
import type { RecordedExchange, RecordedReply } from './recorded-exchange.ts';

/** A message of a live client for which a scene is performed. */
export interface ReplyTrigger {
  readonly text: JsonText;
  readonly method: string;
  /** The exact text of its id; a notification has none. */
  readonly id: JsonText | undefined;
  readonly isModern: boolean;
}

/** What a performance needs of the dialogue that it is for. */
export interface ReplyContext {
  /** How long to wait where the recorded server took so long. */
  readonly pace: (recordedMs: number) => number;
  toLive(text: JsonText, method: string): JsonText;
  send(text: JsonText, delivery: MessageDelivery): void;
  /** Asks what the server asked; `answered` is called with what the client answers. */
  ask(question: ServerMessage, delivery: MessageDelivery, answered: () => void): void;
  /** Tells whoever listens where the recorded client had subscribed, or to all that changes. */
  announce(reply: RecordedReply): void;
  /** The recorded answer is due. */
  answer(recorded: ServerMessage, player: ReplyPlayer): void;
  /** The scene was performed to its end without an answer. */
  unanswered(player: ReplyPlayer): void;
  /** Nothing will come of it any more. */
  over(player: ReplyPlayer): void;
  /** Asks of a client that takes no questions what the server asked then: in place of the answer. */
  askInAnswer(questions: readonly ServerMessage[], player: ReplyPlayer, next: number): void;
}

/**
 * One recorded scene, performed for a message of a live client: everything comes in its order, after the answers of the client
 * that it came after.
 */
export class ReplyPlayer {
  readonly exchange: RecordedExchange;
  readonly trigger: ReplyTrigger;
  readonly #context: ReplyContext;
  /** Whether it was not performed for this client before: what merely came then comes once. */
  readonly isFirst: boolean;
  readonly #token: JsonText | undefined;
  readonly #open = new Set<ServerMessage>();
  #next: number;
  #timer: NodeJS.Timeout | undefined;
  #hasPaused = false;
  #isAnswered = false;
  #isOver = false;

  constructor(exchange: RecordedExchange, trigger: ReplyTrigger, context: ReplyContext, isFirst: boolean, next = 0) {
    this.exchange = exchange;
    this.trigger = trigger;
    this.#context = context;
    this.isFirst = isFirst;
    this.#next = next;
    this.#token = exchange.token === undefined ? undefined : idAt(trigger.text, 'wantedProgress');
  }

  /** Goes on as far as it can. */
  run(): void {
    if (this.#timer !== undefined) return;
    const { replies } = this.exchange;
    while (!this.#isOver) {
      const reply = replies[this.#next];
      if (reply === undefined) break;
      if (reply.waitsFor.some((question) => this.#open.has(question)) || this.#pauses(reply)) return;
      this.#hasPaused = false;
      if (this.#asksInAnswer(reply)) return;
      this.#next++;
      this.#perform(reply);
    }
    this.#end();
  }

  /** Nothing more is wanted of it. */
  stop(): void {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    this.#isOver = true;
    this.#context.over(this);
  }

  #pauses({ delayMs }: RecordedReply): boolean {
    const waitMs = this.#hasPaused ? 0 : this.#context.pace(delayMs);
    if (waitMs <= 0) return false;
    this.#hasPaused = true;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.run();
    }, waitMs);
    return true;
  }

  #perform(reply: RecordedReply): void {
    const { message, role } = reply;
    if (role === 'answer') {
      this.#isAnswered = true;
      this.#context.answer(message, this);
    } else if (role === 'served' || this.isFirst) {
      if (this.#isForListeners(reply)) this.#context.announce(reply);
      else this.#send(reply);
    }
  }

  /** Clients of the newest revision hear of changes where they have subscribed, and others wherever they are. */
  #isForListeners({ message, subscription }: RecordedReply): boolean {
    const { isModern } = this.trigger;
    if (subscription !== undefined) return subscription !== this.exchange.step && (isModern || !this.exchange.isModern);
    return isModern && !this.exchange.isModern && isChange(message.method ?? '');
  }

  #send({ message, role }: RecordedReply): void {
    const { id, method } = this.trigger;
    const delivery = role === 'served' && id !== undefined ? { requestId: id } : {};
    if (message.kind === 'request') {
      if (this.trigger.isModern) return;
      this.#open.add(message);
      this.#context.ask(message, delivery, () => {
        this.#open.delete(message);
        this.run();
      });
      return;
    }
    const text = this.#addressed(message, role === 'served');
    if (text !== undefined) this.#context.send(this.#context.toLive(text, method), delivery);
  }

  /** The notification under the names that the live client has given; `undefined` where it did not ask for it. */
  #addressed({ text, method }: ServerMessage, isServed: boolean): JsonText | undefined {
    if (method === 'notifications/progress' && isServed) {
      return this.#token === undefined ? undefined : withIdAt(text, 'reportedProgress', this.#token);
    }
    if (method === 'notifications/message' && this.trigger.isModern && !this.exchange.isModern) {
      return wantsLogs(this.trigger.text) ? text : undefined;
    }
    const { id } = this.trigger;
    return id === undefined ? text : withIdAt(text, 'notifiedSubscription', id);
  }

  /** A client of 2026-07-28 takes no requests: it is asked by an answer, and asks again. */
  #asksInAnswer({ message, role }: RecordedReply): boolean {
    if (!this.trigger.isModern || this.exchange.isModern || message.kind !== 'request' || role !== 'served')
      return false;
    if (this.#isAnswered || !ASKED_IN_ANSWERS.has(message.method ?? '')) return false;
    const questions: ServerMessage[] = [];
    let next = this.#next;
    for (
      let reply = this.exchange.replies[next];
      reply?.message.kind === 'request';
      reply = this.exchange.replies[++next]
    ) {
      if (reply.waitsFor.length > 0 && questions.length > 0) break;
      if (ASKED_IN_ANSWERS.has(reply.message.method ?? '')) questions.push(reply.message);
    }
    this.stop();
    this.#context.askInAnswer(questions, this, next);
    return true;
  }

  #end(): void {
    if (this.#isOver) return;
    this.stop();
    if (!this.#isAnswered && this.exchange.isRequest) this.#context.unanswered(this);
  }
}

/** What a client can be asked in place of an answer. */
const ASKED_IN_ANSWERS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);

function isChange(method: string): boolean {
  return method === 'notifications/resources/updated' || method.endsWith('/list_changed');
}

function wantsLogs(text: JsonText): boolean {
  return locate(text, ['params', '_meta', 'io.modelcontextprotocol/logLevel']) !== undefined;
}
