import type { Settlement } from '../../intercept/held-message.ts';
import { answersIn, isBatch, isUnchanged, keptTexts, sentText, undelivered } from '../../intercept/settled-frame.ts';
import type { Direction, JsonText } from '../../model/entry.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import { idAt } from '../../protocol/id-splice.ts';
import { requestIdsIn, responseIdsIn } from '../../protocol/message-ids.ts';
import { objectsOf, type RpcBody, textsOf } from '../../protocol/rpc-body.ts';
import type {
  ClientDialogue,
  ClientMessage,
  MessageDelivery,
  ServerMessageKind,
} from '../../transport/inbound/inbound-transport.ts';
import { ownAnswer } from '../../transport/outbound/own-answer.ts';
import type { TargetLink } from '../../transport/outbound/target-link.ts';

import { BridgeGate } from './bridge-gate.ts';
import type { BridgeEvents, BridgeHolding } from './bridge-options.ts';
import { UnansweredRequests } from './unanswered-requests.ts';

export interface BridgedClientOptions {
  readonly dialogue: ClientDialogue;
  readonly holding: BridgeHolding;
  readonly events: BridgeEvents;
  /** Called when too much waits for the client, and its shared target cannot be paused. */
  readonly onTooMuch: () => void;
}

/** Connects one client dialogue with its target link: a gate per direction, and the client's open requests. */
export class BridgedClient {
  link: TargetLink | undefined;
  readonly #options: BridgedClientOptions;
  readonly #dialogue: ClientDialogue;
  readonly #outward: BridgeGate<ClientMessage>;
  readonly #inward: BridgeGate<ServerMessageKind>;
  readonly #unanswered = new UnansweredRequests();
  #isSending = false;
  #linkIsFull = false;
  /** For messages that the target has not taken yet. */
  #releases: (() => void)[] = [];
  #clientIsFull = false;
  /** Whether the client or the target is gone. */
  #isOver = false;

  constructor(options: BridgedClientOptions) {
    const { dialogue, holding } = options;
    const { conversation } = dialogue;
    this.#options = options;
    this.#dialogue = dialogue;
    this.#outward = new BridgeGate({
      direction: 'client_to_server',
      conversation,
      holding,
      pass: (sent, settled) => this.#passOut(sent, settled),
      onSpace: () => this.#letClientGoOn(),
    });
    this.#inward = new BridgeGate({
      direction: 'server_to_client',
      conversation,
      holding,
      pass: (reported, settled) => this.#passIn(reported, settled),
      onSpace: () => this.#letTargetGoOn(),
    });
  }

  get conversation(): number {
    return this.#dialogue.conversation;
  }

  get isSingle(): boolean {
    return this.#dialogue.isSingle;
  }

  /** Takes a client's message. Returns false if the client should wait. */
  fromClient(sent: ClientMessage): boolean {
    if (this.#outward.isClear) this.#send(sent);
    else if (this.#outward.isOverfull) this.#refuse(sent);
    else {
      const { body, place } = sent;
      for (const id of textsOf(body).flatMap(requestIdsIn)) this.#unanswered.add(id);
      const { exchange } = place;
      const isBatch = body.kind === 'batch';
      this.#outward.take({ isBatch, texts: textsOf(body), exchange, standsAlone: exchange !== undefined }, sent);
    }
    return !this.#linkIsFull && !this.#outward.isFull;
  }

  fromTarget(text: JsonText, delivery: MessageDelivery): void {
    // A link that cannot send answers synchronously. The sender must finish with the message before it gets that
    // answer.
    if (this.#isSending) queueMicrotask(() => this.#take(text, delivery));
    else this.#take(text, delivery);
  }

  /** Injects a message. */
  inject(direction: Direction, text: string): void {
    if (direction === 'client_to_server') this.#sayInPlace(text);
    else this.#deliverAll({ text, delivery: { isOwn: true } });
  }

  /** The target accepts more again. */
  targetDrained(): void {
    this.#linkIsFull = false;
    this.#releaseSent();
    this.#letClientGoOn();
  }

  /** The client accepts more again. */
  clientDrained(): void {
    this.#clientIsFull = false;
    this.#letTargetGoOn();
  }

  /** The client no longer waits for the answer to this request. */
  abandon(requestId: JsonText): void {
    this.link?.abandon(this.#unanswered.sentFor(requestId));
  }

  /** Resolves when the client has no open request. */
  answered(): Promise<void> {
    return this.#unanswered.none();
  }

  isHeld(): boolean {
    return !this.#outward.isEmpty || !this.#inward.isEmpty;
  }

  /** Resolves when nothing is held. */
  released(): Promise<void> {
    return new Promise((resolve) => this.#outward.whenEmpty(() => this.#inward.whenEmpty(resolve)));
  }

  /** Calls back when the client has received every message of its target. */
  whenDelivered(callBack: () => void): void {
    this.#inward.whenEmpty(callBack);
  }

  /** The client has left. Held messages in both directions are dropped. */
  leave(): void {
    this.#outward.withdraw();
    this.#isOver = true;
    this.#inward.withdraw();
    this.#releaseSent();
  }

  /** The target has ended. Answers the client's open requests with an error. */
  endWith(reason: string): void {
    this.#isOver = true;
    this.#outward.withdraw();
    this.#releaseSent();
    for (const id of this.#unanswered.ownIds()) {
      this.#dialogue.deliver(ownAnswer(id, { reason }), { requestId: id, isOwn: true });
    }
    this.#dialogue.end();
  }

  #send(sent: ClientMessage): void {
    const texts = textsOf(sent.body);
    for (const text of texts) this.#noteSent(text);
    this.#sendAll(this.#dialogue.takesApart ? texts.filter(isObject) : [sent.text]);
    this.#options.events.onSent(sent, undefined);
    this.#finish(sent);
  }

  #passOut(sent: ClientMessage, settled: readonly Settlement[] | undefined): void {
    const { events, holding } = this.#options;
    if (this.#isOver) {
      events.onSent(sent, undelivered(settled ?? untouched(sent.body, holding.nowMs())));
      sent.release?.();
    } else if (settled === undefined) this.#send(sent);
    else {
      for (const settlement of settled) this.#noteSettled(settlement);
      this.#sendAll(sentFor(settled, sent.text, this.#dialogue.takesApart));
      events.onSent(sent, settled);
      for (const text of answersIn(settled)) this.#reportLater(text);
      this.#finish(sent);
    }
  }

  /** The message was sent, but waits on if the target does not read. */
  #finish({ release }: ClientMessage): void {
    if (release !== undefined) this.#releases.push(release);
    if (!this.#linkIsFull) this.#releaseSent();
  }

  #releaseSent(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  /** Too many messages wait behind a held one. */
  #refuse(sent: ClientMessage): void {
    const { events, holding } = this.#options;
    events.onSent(sent, undelivered(untouched(sent.body, holding.nowMs())));
    sent.release?.();
    const reason = 'not sent: too many messages wait behind a held one';
    for (const id of textsOf(sent.body).flatMap(requestIdsIn)) this.#reportLater(ownAnswer(id, { reason }));
  }

  #noteSent(text: string): void {
    const { kind, id, method } = readEnvelope(text);
    if (kind === 'request' && id !== undefined) this.#unanswered.add(id);
    // Servers do not answer cancelled requests.
    const cancelled = method === 'notifications/cancelled' ? idAt(text, 'cancelled') : undefined;
    if (cancelled !== undefined) this.#unanswered.remove(cancelled);
  }

  #noteSettled({ text, decision }: Settlement): void {
    const [own] = requestIdsIn(text);
    const sent = decision.action === 'edit' ? decision.text : text;
    if (decision.action === 'drop' || decision.action === 'answer') {
      if (own !== undefined) this.#unanswered.remove(own);
    } else if (own === undefined) this.#noteSent(sent);
    else {
      const [sentId] = requestIdsIn(sent);
      if (sentId === undefined) this.#unanswered.remove(own);
      else this.#unanswered.rename(own, sentId);
    }
  }

  #sendAll(texts: readonly string[]): void {
    this.#isSending = true;
    for (const text of texts) this.#linkIsFull = !(this.link?.send(text) ?? true);
    this.#isSending = false;
  }

  #sayInPlace(text: string): void {
    for (const id of requestIdsIn(text)) this.#unanswered.addOwn(id);
    this.#sendAll([text]);
    this.#options.events.onSentInPlace(text, { conversation: this.conversation });
  }

  #take(text: JsonText, delivery: MessageDelivery): void {
    if (this.#isOver || this.#inward.isClear) {
      this.#deliverAll({ text, delivery });
      return;
    }
    // The interceptor is not asked about mcpreel's own messages.
    const body = delivery.isOwn ? undefined : objectsOf(text);
    if (body === undefined) this.#inward.follow({ text, delivery }, text.length);
    else if (this.#dialogue.takesApart) {
      for (const message of textsOf(body)) {
        // An answer is the last message of its exchange.
        const standsAlone = responseIdsIn(message).length > 0;
        this.#inward.take({ isBatch: false, texts: [message], standsAlone }, { text: message, delivery });
      }
    } else {
      const isBatch = body.kind === 'batch';
      this.#inward.take({ isBatch, texts: textsOf(body), standsAlone: false }, { text, delivery });
    }
    if (this.#inward.isFull) this.#letTargetWait();
  }

  /** A shared target cannot be paused for one of its clients. */
  #letTargetWait(): void {
    if (!this.isSingle) this.link?.pause();
    else if (this.#inward.isOverfull) this.#options.onTooMuch();
  }

  #passIn(reported: ServerMessageKind, settled: readonly Settlement[] | undefined): void {
    const { events } = this.#options;
    const [text] = settled === undefined ? [reported.text] : sentFor(settled, reported.text, false);
    const delivery = settled === undefined ? reported.delivery : { ...reported.delivery, past: settled };
    if (text === undefined) {
      for (const id of responseIdsIn(reported.text)) this.#unanswered.remove(id);
      if (settled !== undefined) events.onStopped(settled, this.conversation);
    } else if (this.#isOver) events.onUndelivered({ text, delivery }, this.conversation);
    else this.#deliver({ text, delivery }, reported.text);
    if (settled !== undefined) for (const answer of answersIn(settled)) this.#sayInPlace(answer);
  }

  #reportLater(text: string): void {
    queueMicrotask(() => this.#deliverAll({ text, delivery: { isOwn: true } }));
  }

  #deliverAll({ text, delivery }: ServerMessageKind): void {
    const body = this.#dialogue.takesApart && text.startsWith('[') ? objectsOf(text) : undefined;
    for (const message of body === undefined ? [text] : textsOf(body)) this.#deliver({ text: message, delivery });
  }

  /** Delivers a text in place of the received one (`seen`). */
  #deliver({ text, delivery }: ServerMessageKind, seen: JsonText = text): void {
    const answered = responseIdsIn(seen);
    const [id, ...others] = answered;
    if (id !== undefined && others.length === 0 && this.#unanswered.removeOwn(id)) {
      this.#options.events.onUndelivered({ text, delivery }, this.conversation);
      return;
    }
    const takesMore = this.#dialogue.deliver(text, this.#routed(delivery, answered, text !== seen));
    for (const one of answered) this.#unanswered.remove(one);
    if (takesMore) return;
    this.#clientIsFull = true;
    this.link?.pause();
  }

  /** Maps ids back to the client's own request, if the request or its answer was edited. */
  #routed(delivery: MessageDelivery, [id]: readonly JsonText[], isEdited: boolean): MessageDelivery {
    const { requestId } = delivery;
    const own = id === undefined ? undefined : this.#unanswered.ownOf(id);
    const answers = own ?? (isEdited ? id : undefined);
    const streamOf = requestId === undefined ? undefined : this.#unanswered.ownOf(requestId);
    if (answers === undefined && streamOf === undefined) return delivery;
    return { ...delivery, requestId: streamOf ?? requestId, answers };
  }

  #letClientGoOn(): void {
    if (!this.#linkIsFull && !this.#outward.isFull) this.#dialogue.resume();
  }

  #letTargetGoOn(): void {
    if (!this.#clientIsFull && !this.#inward.isFull) this.link?.resume();
  }
}

/** The texts to send for settled messages: one text, or one per message if batches are split. */
function sentFor(settled: readonly Settlement[], whole: JsonText, goesApart: boolean): readonly string[] {
  const goesWhole = !(isBatch(settled) && goesApart);
  if (isUnchanged(settled) && goesWhole) return [whole];
  if (!goesWhole) return keptTexts(settled.filter(({ text }) => isObject(text)));
  const text = sentText(settled);
  return text === undefined ? [] : [text];
}

/** Whether a member of a batch can be sent alone. Other members are invalid, and mean nothing outside of the batch. */
function isObject(text: JsonText): boolean {
  return text.startsWith('{');
}

/** The settlements of messages that the interceptor was not asked about, or has not stopped. */
function untouched(body: RpcBody, atMs: number): readonly Settlement[] {
  const inBatch = body.kind === 'batch';
  return textsOf(body).map((text) => ({ id: '', text, atMs, inBatch, decision: { action: 'forward' } }));
}
