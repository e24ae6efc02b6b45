import type { ObjectView } from '../json/object-view.ts';
import { sliceAt } from '../json/splice.ts';
import type { JsonText } from '../model/entry.ts';
import { idKey, readEnvelope } from '../protocol/envelope.ts';
import { isModern } from '../protocol/era.ts';
import { idAt, withIdAt } from '../protocol/id-splice.ts';
import type { ServerMessage } from '../recorded/recorded-dialogue.ts';
import type { ClientDialogue, MessageDelivery, DialogueEvents, ClientMessage } from '../transport/inbound/inbound-transport.ts';
import type { FoundExchange } from './exchange-index.ts';
import type { FallbackServers, FallbackServer } from './fallback-servers.ts';
import { exhaustedMiss, likenessLine, type MockMiss, missAnswer, unansweredMiss, unknownMiss } from './misses.ts';
import { OpenQuestions } from './open-questions.ts';
import type { MockPosition, SuspendedExchange } from './position.ts';
import type { RecordedReply, RecordedExchange } from './recorded-exchange.ts';
import { asModernAnswer, asRetry, inputRequired, inWantedRevision, questionsIn } from './reply-eras.ts';
import { underId, underSubscription } from './reply-ids.ts';
import { type ReplyTrigger, ReplyPlayer, type ReplyContext } from './reply-player.ts';
import { ReplyWaiters } from './reply-waiters.ts';
import type { SubscriptionListener } from './subscriptions.ts';

/** One live client, who is answered from the recording. */
export class MockDialogue implements DialogueEvents, ReplyContext {
  readonly pace: (recordedMs: number) => number;
  readonly #isSingle: boolean;
  readonly #replies: ReplyWaiters;
  readonly #position: MockPosition;
  readonly #play: FallbackServers;
  readonly #onLeft: () => void;
  readonly #questions = new OpenQuestions();
  readonly #running = new Map<string | number, ReplyPlayer>();
  readonly #performances = new Set<ReplyPlayer>();
  readonly #leaving: (() => void)[] = [];
  readonly #understudy: FallbackServer | undefined;

  constructor(client: ClientDialogue, position: MockPosition, play: FallbackServers, onLeft: () => void) {
    this.#isSingle = client.isSingle;
    this.#replies = new ReplyWaiters(client);
    this.#position = position;
    this.#play = play;
    this.#onLeft = onLeft;
    this.pace = play.pace;
    this.#understudy = play.openUnderstudy?.((text, delivery) => this.#hear(text, delivery), client);
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
    this.#understudy?.abandon(requestId);
  }

  onDrain(): void {
    this.#replies.drained();
  }

  onEnd(): void {
    // A client of single requests is gone with its answer, and others may listen for what comes after that.
    if (!this.#isSingle) for (const performance of this.#performances) performance.stop();
    for (const leave of this.#leaving) leave();
    this.#understudy?.close();
    this.#onLeft();
  }

  answered(): Promise<void> {
    return this.#replies.answered();
  }

  isHeld(): boolean {
    return false;
  }

  async released(): Promise<void> {
    // Nobody holds anything here.
  }

  toLive(text: JsonText, method: string): JsonText {
    return this.#position.bound.toLive(text, method);
  }

  tell(text: JsonText, delivery: MessageDelivery): void {
    this.#replies.tell(text, delivery);
  }

  ask(question: ServerMessage, delivery: MessageDelivery, answered: () => void): void {
    const { bound } = this.#position;
    const id = this.#questions.add(question.id, (answer) => {
      const recorded = this.#play.answerTo(question);
      if (recorded !== undefined) bound.learn(recorded, answer, question.method);
      answered();
    });
    this.tell(withIdAt(bound.toLive(question.text, question.method), 'id', id), delivery);
  }

  announce({ message, subscription }: RecordedReply): void {
    const { subscriptions } = this.#position;
    const text = this.toLive(message.text, '');
    if (subscription !== undefined) subscriptions.announce(text, subscription);
    else subscriptions.announceToAll(text, message);
  }

  answer(recorded: ServerMessage, { scene, occasion }: ReplyPlayer): void {
    const { id, method } = occasion;
    if (id === undefined) return;
    const questions = occasion.isModern ? undefined : questionsIn(recorded.text);
    if (questions !== undefined) this.#askInTurn(questions, recorded.text, occasion);
    else this.#deliver(this.#inEra(this.toLive(underId(recorded, id), method), scene, occasion), id);
  }

  unanswered({ scene, occasion }: ReplyPlayer): void {
    const { id, method } = occasion;
    if (id === undefined) return;
    if (method === 'subscriptions/listen') this.#listen(scene, id);
    else if (scene.step.cancelledBy !== undefined) this.#replies.settle(id);
    else this.#missed(unansweredMiss(scene), id, occasion.text);
  }

  over(performance: ReplyPlayer): void {
    this.#performances.delete(performance);
    this.#play.running.delete(performance);
  }

  askInAnswer(questions: readonly ServerMessage[], { scene, occasion, isFirst }: ReplyPlayer, next: number): void {
    const { id } = occasion;
    if (id === undefined) return;
    const state = this.#position.suspend({ scene, isFirst, next });
    this.#play.tellOnce('Requests of the server are put as input_required to clients of 2026-07-28');
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
    this.#understudy?.pass(text);
    const scene = this.#position.next(this.#play.index.notices(method));
    if (scene === undefined) return;
    const occasion = { text, method, id: undefined, isModern: isModern(text) };
    this.#perform({ scene, isFirst: true, next: 0 }, occasion);
  }

  #request(text: JsonText, id: JsonText, method: string): void {
    this.#replies.expect(id);
    const occasion = { text, method, id, isModern: isModern(text) };
    if (method === 'initialize') this.#understudy?.greet(text);
    const suspended = this.#position.resume(text);
    if (suspended !== undefined) this.#perform(suspended, occasion);
    else this.#answerFromRecording(occasion, id);
  }

  #answerFromRecording(occasion: ReplyTrigger, id: JsonText): void {
    const { text, method } = occasion;
    const asked = this.#position.bound.toRecorded(text, method);
    const found = this.#play.index.find(asked, method);
    if (found === undefined) {
      this.#miss(occasion, id, asked);
      return;
    }
    const unused = this.#unused(found, method);
    const scene = unused ?? (this.#play.mayRepeat(method) ? this.#position.last(found.scenes) : undefined);
    if (scene === undefined) {
      this.#missed(exhaustedMiss(occasion, found.scenes, this.#understudy !== undefined), id, text);
      return;
    }
    if (found.tier !== 'strict' && found.tier !== 'same') {
      this.#play.tellOnce(likenessLine(scene, asked, found.tier));
      // What differs is another name of the same.
      this.#position.bound.learn(scene.step.text, asked, method);
    }
    this.#play.tally.use(scene);
    this.#perform({ scene, isFirst: unused !== undefined, next: 0 }, occasion);
  }

  /** What is asked again and again is rather repeated than taken for something that is not quite the same. */
  #unused({ scenes, wider }: FoundExchange, method: string): RecordedExchange | undefined {
    const next = this.#position.next(scenes);
    return next ?? (this.#play.isReusable(method) ? undefined : this.#position.next(wider()));
  }

  #miss(occasion: ReplyTrigger, id: JsonText, asked: JsonText): void {
    const greeting = this.#play.greeting(occasion, id);
    if (greeting !== undefined) {
      this.#deliver(greeting, id);
      return;
    }
    if (this.#listensAnyway(occasion, id)) return;
    const isForwarded = this.#understudy !== undefined;
    const nearest = isForwarded ? undefined : this.#play.index.nearest(asked, occasion.method);
    this.#missed(unknownMiss(occasion, nearest, isForwarded), id, occasion.text);
  }

  #missed(miss: MockMiss, id: JsonText, text: JsonText): void {
    this.#play.tally.miss(miss);
    if (miss.isForwarded) {
      this.#understudy?.ask(text);
      return;
    }
    this.#play.tell(`Missed: ${miss.message}`);
    this.#deliver(missAnswer(miss, id, this.#play.index.knows(miss.method)), id);
  }

  #perform({ scene, isFirst, next }: SuspendedExchange, occasion: ReplyTrigger): void {
    const performance = new ReplyPlayer(scene, occasion, this, isFirst, next);
    this.#performances.add(performance);
    this.#play.running.add(performance);
    if (occasion.id !== undefined) this.#running.set(idKey(occasion.id), performance);
    performance.run();
  }

  /** A client of the older era is asked by requests, and the scene goes on as if it had asked again. */
  #askInTurn(questions: readonly { name: string; request: ObjectView }[], answer: JsonText, occasion: ReplyTrigger): void {
    const responses = new Map<string, JsonText>();
    this.#play.tellOnce('What the server asked for by input_required is asked of clients of the older era by requests');
    const goOn = (): void => {
      if (responses.size < questions.length || occasion.id === undefined) return;
      const text = asRetry(occasion.text, answer, responses);
      this.#answerFromRecording({ ...occasion, text }, occasion.id);
    };
    for (const { name, request } of questions) {
      const id = this.#questions.add(undefined, (response) => {
        responses.set(name, sliceAt(response, ['result']) ?? '{"action":"cancel"}');
        goOn();
      });
      const params = request.textOf('params');
      const body = params === undefined ? '' : `,"params":${params}`;
      const text = `{"jsonrpc":"2.0","id":${id},"method":${request.textOf('method') ?? '""'}${body}}`;
      this.tell(text, occasion.id === undefined ? {} : { requestId: occasion.id });
    }
    goOn();
  }

  #inEra(answer: JsonText, scene: RecordedExchange, { text, method, id, isModern }: ReplyTrigger): JsonText {
    if (method === 'initialize') {
      const welcome = inWantedRevision(answer, text);
      if (welcome !== answer)
        this.#play.tellOnce('The client wants an older revision than the recorded one, and gets it');
      return welcome;
    }
    if (isModern && !scene.isModern) return asModernAnswer(answer, method);
    return method === 'subscriptions/listen' && id !== undefined ? underSubscription(answer, id) : answer;
  }

  #listen(scene: RecordedExchange, id: JsonText): void {
    this.#leaving.push(this.#position.subscriptions.add(scene.step, this.#listener(id)));
    this.#replies.settle(id);
  }

  /** A server that knew no such streams said the same without being asked. */
  #listensAnyway({ text, method }: ReplyTrigger, id: JsonText): boolean {
    if (method !== 'subscriptions/listen' || this.#understudy !== undefined) return false;
    this.#play.tellOnce('Subscriptions of 2026-07-28 get what the server said of its changes in the older era');
    this.#leaving.push(this.#position.subscriptions.addTo(text, this.#listener(id)));
    this.#replies.settle(id);
    return true;
  }

  #listener(id: JsonText): SubscriptionListener {
    return { id, tell: (text) => this.tell(text, { requestId: id }) };
  }

  #cancel(id: JsonText): void {
    this.#running.get(idKey(id))?.stop();
    this.#running.delete(idKey(id));
    this.#replies.settle(id);
  }

  /** What the live server says. */
  #hear(text: JsonText, delivery: MessageDelivery): void {
    const { kind, id } = readEnvelope(text);
    if (kind === 'request' && id !== undefined) {
      const free = this.#questions.add(id, (answer) => this.#understudy?.pass(withIdAt(answer, 'id', id)));
      this.tell(withIdAt(text, 'id', free), delivery);
      return;
    }
    this.tell(text, delivery);
    if (kind === 'response' && id !== undefined) this.#replies.settle(id);
  }

  #deliver(answer: JsonText, id: JsonText): void {
    this.#running.delete(idKey(id));
    this.#replies.answer(answer, id);
  }
}
