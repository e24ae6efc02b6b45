import { ObjectView } from '../json/object-view.ts';
import { locate, sliceAt } from '../json/splice.ts';
import type { JsonText } from '../model/entry.ts';
import { idKey, readEnvelope } from '../protocol/envelope.ts';
import { isModern } from '../protocol/era.ts';
import { idAt, withIdAt } from '../protocol/id-splice.ts';
import type { ServerMessage } from '../recorded/recorded-dialogue.ts';
import type {
  ClientDialogue,
  ClientMessage,
  DialogueEvents,
  MessageDelivery,
} from '../transport/inbound/inbound-transport.ts';
import type { FoundExchange } from './exchange-index.ts';
import type { FallbackServer, FallbackServers } from './fallback-servers.ts';
import { exhaustedMiss, likenessLine, type MockMiss, missAnswer, unansweredMiss, unknownMiss } from './misses.ts';

import type { MockPosition, SuspendedExchange } from './position.ts';
import type { RecordedExchange, RecordedReply } from './recorded-exchange.ts';
import { asModernAnswer, asRetry, inputRequired, inRequestedRevision, questionsIn } from './reply-eras.ts';

import { type ReplyContext, ReplyPlayer, type ReplyTrigger } from './reply-player.ts';
import { ReplyWaiters } from './reply-waiters.ts';
import type { SubscriptionListener } from './subscriptions.ts';

/** Answers one live client from the recording. */
export class MockDialogue implements DialogueEvents, ReplyContext {
  readonly pace: (recordedMs: number) => number;
  readonly #isSingle: boolean;
  readonly #replies: ReplyWaiters;
  readonly #position: MockPosition;
  readonly #mockServer: FallbackServers;
  readonly #onLeft: () => void;
  readonly #questions = new OpenQuestions();
  readonly #running = new Map<string | number, ReplyPlayer>();
  readonly #performances = new Set<ReplyPlayer>();
  readonly #leaving: (() => void)[] = [];
  readonly #fallback: FallbackServer | undefined;

  constructor(client: ClientDialogue, position: MockPosition, mockServer: FallbackServers, onLeft: () => void) {
    this.#isSingle = client.isSingle;
    this.#replies = new ReplyWaiters(client);
    this.#position = position;
    this.#mockServer = mockServer;
    this.#onLeft = onLeft;
    this.pace = mockServer.pace;
    this.#fallback = mockServer.openFallback?.((text, delivery) => this.#receive(text, delivery), client);
  }

  onMessage({ body }: ClientMessage): boolean {
    if (body.kind === 'message') this.#take(body.text);
    else {
      this.#replies.asBatch(() => {
        for (const text of body.texts) this.#take(text);
      });
    }
    return this.#replies.takesMore;
  }

  onAbandon(requestId: JsonText): void {
    this.#cancel(requestId);
    this.#fallback?.abandon(requestId);
  }

  onDrain(): void {
    this.#replies.drained();
  }

  onEnd(): void {
    // A client of single requests ends with its response. Later messages may still be due to subscribers.
    if (!this.#isSingle) for (const player of this.#performances) player.stop();
    for (const leave of this.#leaving) leave();
    this.#fallback?.close();
    this.#onLeft();
  }

  answered(): Promise<void> {
    return this.#replies.answered();
  }

  isHeld(): boolean {
    return false;
  }

  async released(): Promise<void> {
    // The mock never holds messages.
  }

  toLive(text: JsonText, method: string): JsonText {
    return this.#position.bound.toLive(text, method).text;
  }

  send(text: JsonText, delivery: MessageDelivery): void {
    this.#replies.send(text, delivery);
  }

  ask(question: ServerMessage, delivery: MessageDelivery, answered: () => void): void {
    const { bound } = this.#position;
    const id = this.#questions.add(question.id, (answer) => {
      const recorded = this.#mockServer.answerTo(question);
      if (recorded !== undefined) bound.learn(recorded, answer, question.method);
      answered();
    });
    this.send(withIdAt(bound.toLive(question.text, question.method).text, 'id', id), delivery);
  }

  announce({ message, subscription }: RecordedReply): void {
    const { subscriptions } = this.#position;
    const text = this.toLive(message.text, '');
    if (subscription !== undefined) subscriptions.announce(text, subscription);
    else subscriptions.announceToAll(text, message);
  }

  answer(recorded: ServerMessage, { exchange, trigger }: ReplyPlayer): void {
    const { id, method } = trigger;
    if (id === undefined) return;
    const questions = trigger.isModern ? undefined : questionsIn(recorded.text);
    if (questions !== undefined) this.#askInTurn(questions, recorded.text, trigger);
    else this.#deliver(this.#inEra(this.toLive(underId(recorded, id), method), exchange, trigger), id);
  }

  unanswered({ exchange, trigger }: ReplyPlayer): void {
    const { id, method } = trigger;
    if (id === undefined) return;
    if (method === 'subscriptions/listen') this.#listen(exchange, id);
    else if (exchange.step.cancelledBy !== undefined) this.#replies.settle(id);
    else this.#missed(unansweredMiss(exchange), id, trigger.text);
  }

  over(player: ReplyPlayer): void {
    this.#performances.delete(player);
    this.#mockServer.running.delete(player);
  }

  askInAnswer(questions: readonly ServerMessage[], { exchange, trigger, isFirst }: ReplyPlayer, next: number): void {
    const { id } = trigger;
    if (id === undefined) return;
    const state = this.#position.suspend({ exchange, isFirst, next });
    this.#mockServer.sendOnce('Server requests are sent as input_required to clients of 2026-07-28');
    this.#deliver(inputRequired(id, questions, state), id);
  }

  #take(text: JsonText): void {
    const { kind, id, method } = readEnvelope(text);
    if (kind === 'request' && id !== undefined && method !== undefined) this.#request(text, id, method);
    else if (kind === 'notification' && method !== undefined) this.#notice(text, method);
    else if (kind === 'response' && id !== undefined) this.#questions.answer(id, text);
  }

  #notice(text: JsonText, method: string): void {
    const cancelled = method === 'notifications/cancelled' ? idAt(text, 'cancelled') : undefined;
    if (cancelled !== undefined) this.#cancel(cancelled);
    this.#fallback?.pass(text);
    const exchange = this.#position.next(this.#mockServer.index.notices(method));
    if (exchange === undefined) return;
    const trigger = { text, method, id: undefined, isModern: isModern(text) };
    this.#perform({ exchange, isFirst: true, next: 0 }, trigger);
  }

  #request(text: JsonText, id: JsonText, method: string): void {
    this.#replies.expect(id);
    const trigger = { text, method, id, isModern: isModern(text) };
    if (method === 'initialize') this.#fallback?.greet(text);
    const suspended = this.#position.resume(text);
    if (suspended !== undefined) this.#perform(suspended, trigger);
    else this.#answerFromRecording(trigger, id);
  }

  #answerFromRecording(trigger: ReplyTrigger, id: JsonText): void {
    const { text, method } = trigger;
    const requested = this.#position.bound.toRecorded(text, method);
    const found = this.#mockServer.index.find(requested, method);
    if (found === undefined) {
      this.#miss(trigger, id, requested);
      return;
    }
    const unused = this.#unused(found, method);
    const exchange = unused ?? (this.#mockServer.mayRepeat(method) ? this.#position.last(found.exchanges) : undefined);
    if (exchange === undefined) {
      this.#missed(exhaustedMiss(trigger, found.exchanges, this.#fallback !== undefined), id, text);
      return;
    }
    if (found.tier !== 'strict' && found.tier !== 'same') {
      this.#mockServer.sendOnce(likenessLine(exchange, requested, found.tier));
      // A value that differs is the live counterpart of the recorded one.
      this.#position.bound.learn(exchange.step.text, requested, method);
    }
    this.#mockServer.tally.use(exchange);
    this.#perform({ exchange, isFirst: unused !== undefined, next: 0 }, trigger);
  }

  /** A reusable method repeats its last exact match rather than take a wider one. */
  #unused({ exchanges, wider }: FoundExchange, method: string): RecordedExchange | undefined {
    const next = this.#position.next(exchanges);
    return next ?? (this.#mockServer.isReusable(method) ? undefined : this.#position.next(wider()));
  }

  #miss(trigger: ReplyTrigger, id: JsonText, requested: JsonText): void {
    const greeting = this.#mockServer.greeting(trigger, id);
    if (greeting !== undefined) {
      this.#deliver(greeting, id);
      return;
    }
    if (this.#listensAnyway(trigger, id)) return;
    const isForwarded = this.#fallback !== undefined;
    const nearest = isForwarded ? undefined : this.#mockServer.index.nearest(requested, trigger.method);
    this.#missed(unknownMiss(trigger, nearest, isForwarded), id, trigger.text);
  }

  #missed(miss: MockMiss, id: JsonText, text: JsonText): void {
    this.#mockServer.tally.miss(miss);
    if (miss.isForwarded) {
      this.#fallback?.ask(text);
      return;
    }
    this.#mockServer.warn(`No response: ${miss.message}`);
    this.#deliver(missAnswer(miss, id, this.#mockServer.index.knows(miss.method)), id);
  }

  #perform({ exchange, isFirst, next }: SuspendedExchange, trigger: ReplyTrigger): void {
    const player = new ReplyPlayer(exchange, trigger, this, isFirst, next);
    this.#performances.add(player);
    this.#mockServer.running.add(player);
    if (trigger.id !== undefined) this.#running.set(idKey(trigger.id), player);
    player.run();
  }

  /**
   * Sends the questions of a recorded `input_required` result to an older client as requests. Once all are answered,
   * the exchange continues as if the client had retried.
   */
  #askInTurn(
    questions: readonly { name: string; request: ObjectView }[],
    answer: JsonText,
    trigger: ReplyTrigger,
  ): void {
    const responses = new Map<string, JsonText>();
    this.#mockServer.sendOnce(
      'Recorded input_required results are sent as server requests to clients of older protocol versions',
    );
    const goOn = (): void => {
      if (responses.size < questions.length || trigger.id === undefined) return;
      const text = asRetry(trigger.text, answer, responses);
      this.#answerFromRecording({ ...trigger, text }, trigger.id);
    };
    for (const { name, request } of questions) {
      const id = this.#questions.add(undefined, (response) => {
        responses.set(name, sliceAt(response, ['result']) ?? '{"action":"cancel"}');
        goOn();
      });
      const params = request.textOf('params');
      const body = params === undefined ? '' : `,"params":${params}`;
      const text = `{"jsonrpc":"2.0","id":${id},"method":${request.textOf('method') ?? '""'}${body}}`;
      this.send(text, trigger.id === undefined ? {} : { requestId: trigger.id });
    }
    goOn();
  }

  #inEra(answer: JsonText, exchange: RecordedExchange, { text, method, id, isModern }: ReplyTrigger): JsonText {
    if (method === 'initialize') {
      const welcome = inRequestedRevision(answer, text);
      if (welcome !== answer) this.#mockServer.sendOnce(olderVersionNote(welcome, answer));
      return welcome;
    }
    if (isModern && !exchange.isModern) return asModernAnswer(answer, method);
    return method === 'subscriptions/listen' && id !== undefined ? underSubscription(answer, id) : answer;
  }

  #listen(exchange: RecordedExchange, id: JsonText): void {
    this.#leaving.push(this.#position.subscriptions.add(exchange.step, this.#listener(id)));
    this.#replies.settle(id);
  }

  /** An older server sent change notifications without a subscription, so the mock serves them to this one. */
  #listensAnyway({ text, method }: ReplyTrigger, id: JsonText): boolean {
    if (method !== 'subscriptions/listen' || this.#fallback !== undefined) return false;
    this.#mockServer.sendOnce(
      'Subscriptions of 2026-07-28 receive the recorded notifications of the older protocol version',
    );
    this.#leaving.push(this.#position.subscriptions.addTo(text, this.#listener(id)));
    this.#replies.settle(id);
    return true;
  }

  #listener(id: JsonText): SubscriptionListener {
    return { id, send: (text) => this.send(text, { requestId: id }) };
  }

  #cancel(id: JsonText): void {
    this.#running.get(idKey(id))?.stop();
    this.#running.delete(idKey(id));
    this.#replies.settle(id);
  }

  /** Handles a message of the live server. */
  #receive(text: JsonText, delivery: MessageDelivery): void {
    const { kind, id } = readEnvelope(text);
    if (kind === 'request' && id !== undefined) {
      const free = this.#questions.add(id, (answer) => this.#fallback?.pass(withIdAt(answer, 'id', id)));
      this.send(withIdAt(text, 'id', free), delivery);
      return;
    }
    this.send(text, delivery);
    if (kind === 'response' && id !== undefined) this.#replies.settle(id);
  }

  #deliver(answer: JsonText, id: JsonText): void {
    this.#running.delete(idKey(id));
    this.#replies.answer(answer, id);
  }
}

/** The requests sent to the client that wait for its response. */
class OpenQuestions {
  readonly #open = new Map<string | number, (answer: JsonText) => void>();
  #made = 0;

  /** Registers a request under its own id, or under a new one if that id is in use. Returns the id to send. */
  add(id: JsonText | undefined, answered: (answer: JsonText) => void): JsonText {
    const free = id !== undefined && !this.#open.has(idKey(id)) ? id : `"mcpreel-${++this.#made}"`;
    this.#open.set(idKey(free), answered);
    return free;
  }

  /** Handles a client's response. A response to an unknown id is ignored. */
  answer(id: JsonText, answer: JsonText): void {
    const key = idKey(id);
    const answered = this.#open.get(key);
    this.#open.delete(key);
    answered?.(answer);
  }
}

/** A text split around its id, so that the id can be replaced many times. */
interface SplitId {
  readonly before: string;
  readonly after: string;
}

const SPLITS = new WeakMap<object, SplitId>();

/**
 * The recorded response with the client's id, exactly as the client wrote it. The id's position is located once per
 * response, because most responses need no other change.
 */
function underId(answer: { readonly text: JsonText }, id: JsonText): JsonText {
  let split = SPLITS.get(answer);
  if (split === undefined) {
    split = splitAtId(answer.text);
    SPLITS.set(answer, split);
  }
  return split.after === '' ? answer.text : split.before + id + split.after;
}

/** Replaces the subscription id inside the result. */
function underSubscription(answer: JsonText, id: JsonText): JsonText {
  return withIdAt(answer, 'answeredSubscription', id);
}

function splitAtId(text: JsonText): SplitId {
  const span = locate(text, ['id']);
  // An error response without an id stays without one.
  if (span === undefined || text.startsWith('null', span.start)) return { before: text, after: '' };
  return { before: text.slice(0, span.start), after: text.slice(span.end) };
}

function olderVersionNote(sent: JsonText, recorded: JsonText): string {
  const [asked, known] = [sent, recorded].map((text) =>
    ObjectView.of(text)?.object('result')?.string('protocolVersion'),
  );
  return `The client requested protocol version ${asked}, the recording has ${known}: answering with ${asked}`;
}
