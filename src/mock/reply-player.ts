import { locate } from '../json/splice.ts';
import type { JsonText } from '../model/entry.ts';
import { idAt, withIdAt } from '../protocol/id-splice.ts';
import type { ServerMessage } from '../recorded/recorded-dialogue.ts';
import type { MessageDelivery } from '../transport/inbound/inbound-transport.ts';
import type { RecordedReply, RecordedExchange } from './recorded-exchange.ts';

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
  tell(text: JsonText, delivery: MessageDelivery): void;
  /** Asks what the server asked; `answered` is called with what the client answers. */
  ask(question: ServerMessage, delivery: MessageDelivery, answered: () => void): void;
  /** Tells whoever listens where the recorded client had subscribed, or to all that changes. */
  announce(cue: RecordedReply): void;
  /** The recorded answer is due. */
  answer(recorded: ServerMessage, performance: ReplyPlayer): void;
  /** The scene was performed to its end without an answer. */
  unanswered(performance: ReplyPlayer): void;
  /** Nothing will come of it any more. */
  over(performance: ReplyPlayer): void;
  /** Asks of a client that takes no questions what the server asked then: in place of the answer. */
  askInAnswer(questions: readonly ServerMessage[], performance: ReplyPlayer, next: number): void;
}

/**
 * One recorded scene, performed for a message of a live client: everything comes in its order, after the answers of the client
 * that it came after.
 */
export class ReplyPlayer {
  readonly scene: RecordedExchange;
  readonly occasion: ReplyTrigger;
  readonly #stage: ReplyContext;
  /** Whether it was not performed for this client before: what merely came then comes once. */
  readonly isFirst: boolean;
  readonly #token: JsonText | undefined;
  readonly #open = new Set<ServerMessage>();
  #next: number;
  #timer: NodeJS.Timeout | undefined;
  #hasPaused = false;
  #isAnswered = false;
  #isOver = false;

  constructor(scene: RecordedExchange, occasion: ReplyTrigger, stage: ReplyContext, isFirst: boolean, next = 0) {
    this.scene = scene;
    this.occasion = occasion;
    this.#stage = stage;
    this.isFirst = isFirst;
    this.#next = next;
    this.#token = scene.token === undefined ? undefined : idAt(occasion.text, 'wantedProgress');
  }

  /** Goes on as far as it can. */
  run(): void {
    if (this.#timer !== undefined) return;
    const { cues } = this.scene;
    while (!this.#isOver) {
      const cue = cues[this.#next];
      if (cue === undefined) break;
      if (cue.waitsFor.some((question) => this.#open.has(question)) || this.#pauses(cue)) return;
      this.#hasPaused = false;
      if (this.#asksInAnswer(cue)) return;
      this.#next++;
      this.#perform(cue);
    }
    this.#end();
  }

  /** Nothing more is wanted of it. */
  stop(): void {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stage.over(this);
  }

  #pauses({ delayMs }: RecordedReply): boolean {
    const waitMs = this.#hasPaused ? 0 : this.#stage.pace(delayMs);
    if (waitMs <= 0) return false;
    this.#hasPaused = true;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.run();
    }, waitMs);
    return true;
  }

  #perform(cue: RecordedReply): void {
    const { message, role } = cue;
    if (role === 'answer') {
      this.#isAnswered = true;
      this.#stage.answer(message, this);
    } else if (role === 'served' || this.isFirst) {
      if (this.#isForListeners(cue)) this.#stage.announce(cue);
      else this.#tell(cue);
    }
  }

  /** Clients of the newest revision hear of changes where they have subscribed, and others wherever they are. */
  #isForListeners({ message, subscription }: RecordedReply): boolean {
    const { isModern } = this.occasion;
    if (subscription !== undefined) return subscription !== this.scene.step && (isModern || !this.scene.isModern);
    return isModern && !this.scene.isModern && isChange(message.method ?? '');
  }

  #tell({ message, role }: RecordedReply): void {
    const { id, method } = this.occasion;
    const delivery = role === 'served' && id !== undefined ? { requestId: id } : {};
    if (message.kind === 'request') {
      if (this.occasion.isModern) return;
      this.#open.add(message);
      this.#stage.ask(message, delivery, () => {
        this.#open.delete(message);
        this.run();
      });
      return;
    }
    const text = this.#addressed(message, role === 'served');
    if (text !== undefined) this.#stage.tell(this.#stage.toLive(text, method), delivery);
  }

  /** The notification under the names that the live client has given; `undefined` where it did not ask for it. */
  #addressed({ text, method }: ServerMessage, isServed: boolean): JsonText | undefined {
    if (method === 'notifications/progress' && isServed) {
      return this.#token === undefined ? undefined : withIdAt(text, 'reportedProgress', this.#token);
    }
    if (method === 'notifications/message' && this.occasion.isModern && !this.scene.isModern) {
      return wantsLogs(this.occasion.text) ? text : undefined;
    }
    const { id } = this.occasion;
    return id === undefined ? text : withIdAt(text, 'notifiedSubscription', id);
  }

  /** A client of 2026-07-28 takes no requests: it is asked by an answer, and asks again. */
  #asksInAnswer({ message, role }: RecordedReply): boolean {
    if (!this.occasion.isModern || this.scene.isModern || message.kind !== 'request' || role !== 'served') return false;
    if (this.#isAnswered || !ASKED_IN_ANSWERS.has(message.method ?? '')) return false;
    const questions: ServerMessage[] = [];
    let next = this.#next;
    for (let cue = this.scene.cues[next]; cue?.message.kind === 'request'; cue = this.scene.cues[++next]) {
      if (cue.waitsFor.length > 0 && questions.length > 0) break;
      if (ASKED_IN_ANSWERS.has(cue.message.method ?? '')) questions.push(cue.message);
    }
    this.stop();
    this.#stage.askInAnswer(questions, this, next);
    return true;
  }

  #end(): void {
    if (this.#isOver) return;
    this.stop();
    if (!this.#isAnswered && this.scene.isRequest) this.#stage.unanswered(this);
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
