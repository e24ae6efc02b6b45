import { locate } from '../json/splice.ts';
import type { JsonText } from '../model/entry.ts';
import { idAt, withIdAt } from '../protocol/id-splice.ts';
import type { ServerMessage } from '../recorded/recorded-dialogue.ts';
import type { MessageDelivery } from '../transport/inbound/inbound-transport.ts';
import type { RecordedExchange, RecordedReply } from './recorded-exchange.ts';

/** A live client's message that an exchange is played for. */
export interface ReplyTrigger {
  readonly text: JsonText;
  readonly method: string;
  /** The exact text of its id; a notification has none. */
  readonly id: JsonText | undefined;
  readonly isModern: boolean;
}

/** What a ReplyPlayer needs from its dialogue. */
export interface ReplyContext {
  /** Converts a recorded delay into the time to wait now. */
  readonly pace: (recordedMs: number) => number;
  toLive(text: JsonText, method: string): JsonText;
  send(text: JsonText, delivery: MessageDelivery): void;
  /** Sends a recorded server request; `answered` is called when the client has responded. */
  ask(question: ServerMessage, delivery: MessageDelivery, answered: () => void): void;
  /** Sends a change notification to the subscribed listeners. */
  announce(reply: RecordedReply): void;
  /** Sends the recorded response. */
  answer(recorded: ServerMessage, player: ReplyPlayer): void;
  /** The exchange has ended without a response. */
  unanswered(player: ReplyPlayer): void;
  /** The player has finished or was stopped. */
  over(player: ReplyPlayer): void;
  /** Sends server requests inside an `input_required` result, for a client that accepts no requests. */
  askInAnswer(questions: readonly ServerMessage[], player: ReplyPlayer, next: number): void;
}

/**
 * Plays one recorded exchange for a live client's message. Replies keep their order, and a reply waits for the client
 * responses that it followed in the recording.
 */
export class ReplyPlayer {
  readonly exchange: RecordedExchange;
  readonly trigger: ReplyTrigger;
  readonly #context: ReplyContext;
  /** Whether this client gets the exchange for the first time. Unrelated messages are sent only then. */
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

  /** Plays replies until one has to wait. */
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

  /** Stops playing. */
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

  /** Clients of the newest revision get change notifications on their subscriptions, other clients on any stream. */
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

  /** The notification with the live client's ids; `undefined` if the client did not ask for it. */
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

  /** A client of 2026-07-28 accepts no requests. It gets them in a result and retries its own request. */
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

/** The server requests that an `input_required` result can carry. */
const ASKED_IN_ANSWERS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);

function isChange(method: string): boolean {
  return method === 'notifications/resources/updated' || method.endsWith('/list_changed');
}

function wantsLogs(text: JsonText): boolean {
  return locate(text, ['params', '_meta', 'io.modelcontextprotocol/logLevel']) !== undefined;
}
