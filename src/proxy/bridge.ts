import type { JsonText } from '../model/entry.ts';
import { idKey, readEnvelope } from '../protocol/envelope.ts';
import { idAt } from '../protocol/id-splice.ts';
import { objectsOf } from '../protocol/rpc-body.ts';
import type { ClientDialogue, Delivery, DialogueEvents } from '../transport/fronts/client-front.ts';
import { ownAnswer } from '../transport/links/own-answer.ts';
import type { TargetLink, TargetLinkEvents } from '../transport/links/target-link.ts';
import type { BridgeOptions } from './bridge-options.ts';
import { inOwnMemory } from './bridge-routes.ts';
import { SharedLink } from './bridge-shared-link.ts';

/**
 * Joins each dialogue with a target of its own. Dialogues that are a single exchange share one, which the first of them
 * opens and which stays until the bridge is closed.
 */
export class Bridge {
  readonly #options: BridgeOptions;
  readonly #links = new Set<TargetLink>();
  readonly #closings = new Set<Promise<void>>();
  #shared: SharedLink | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  join(dialogue: ClientDialogue): DialogueEvents {
    const { events } = this.#options;
    const { conversation } = dialogue;
    const joint = new Joint(dialogue);
    const linkEvents: TargetLinkEvents = {
      onMessage: (text, { requestId, isOwn }) => joint.fromTarget(text, { requestId, isOwn }),
      onLine: (stream, text) => events.onLine(stream, text, conversation),
      onExchange: (exchange) => events.onTargetExchange(exchange, conversation),
      onDrain: () => dialogue.resume(),
      onEnd: (reason) => {
        if (reason === undefined) return;
        if (!dialogue.isSingle) events.onTargetEnd(reason, conversation);
        joint.endWith(reason);
        this.#close(link);
      },
    };
    const link = dialogue.isSingle ? this.#sharedLink().attach(linkEvents) : this.#options.openLink(linkEvents);
    joint.link = link;
    this.#links.add(link);
    return {
      onMessage: (text) => joint.fromClient(text),
      onAbandon: (requestId) => link.abandon(requestId),
      onDrain: () => link.resume(),
      onEnd: () => this.#close(link),
      answered: () => joint.answered(),
    };
  }

  /** Resolves when every target has ended. */
  async close(): Promise<void> {
    for (const link of this.#links) this.#close(link);
    await Promise.all([this.#shared?.close(), ...this.#closings]);
  }

  #sharedLink(): SharedLink {
    if (this.#shared === undefined || this.#shared.isOver) this.#shared = new SharedLink(this.#options);
    return this.#shared;
  }

  #close(link: TargetLink): void {
    if (!this.#links.delete(link)) return;
    const closing = link.close().finally(() => this.#closings.delete(closing));
    this.#closings.add(closing);
  }
}

/** A dialogue and its link, and what the client still waits for. */
class Joint {
  link: TargetLink | undefined;
  readonly #dialogue: ClientDialogue;
  readonly #unanswered = new Map<string | number, JsonText>();
  #isSending = false;
  #allAnswered: () => void = () => undefined;

  constructor(dialogue: ClientDialogue) {
    this.#dialogue = dialogue;
  }

  fromClient(text: JsonText): boolean {
    for (const { kind, id, method } of envelopesIn(text)) {
      if (kind === 'request' && id !== undefined) this.#unanswered.set(idKey(id), inOwnMemory(id));
      // Servers do not answer what was cancelled.
      const cancelled = method === 'notifications/cancelled' ? idAt(text, 'cancelled') : undefined;
      if (cancelled !== undefined) this.#forget(cancelled);
    }
    this.#isSending = true;
    const takesMore = this.link?.send(text) ?? true;
    this.#isSending = false;
    return takesMore;
  }

  fromTarget(text: JsonText, delivery: Delivery): void {
    // A link that cannot send says so at once; whoever sends must be done with the message before it gets an answer.
    if (this.#isSending) queueMicrotask(() => this.#deliver(text, delivery));
    else this.#deliver(text, delivery);
  }

  /** Resolves when the client waits for nothing. */
  async answered(): Promise<void> {
    if (this.#unanswered.size > 0) await new Promise<void>((resolve) => (this.#allAnswered = resolve));
  }

  /** Tells the client what it will not be told by its target any more. */
  endWith(reason: string): void {
    for (const id of [...this.#unanswered.values()]) {
      this.#deliver(ownAnswer(id, { reason }), { requestId: id, isOwn: true });
    }
    this.#dialogue.end();
  }

  #deliver(text: JsonText, delivery: Delivery): void {
    const answered: JsonText[] = [];
    for (const { kind, id } of envelopesIn(text)) {
      if (kind === 'response' && id !== undefined) answered.push(id);
    }
    const takesMore = this.#dialogue.deliver(text, delivery);
    for (const id of answered) this.#forget(id);
    if (!takesMore) this.link?.pause();
  }

  #forget(id: JsonText): void {
    this.#unanswered.delete(idKey(id));
    if (this.#unanswered.size === 0) this.#allAnswered();
  }
}

function envelopesIn(text: JsonText): ReturnType<typeof readEnvelope>[] {
  const isBatch = text.startsWith('[');
  const body = isBatch ? objectsOf(text) : undefined;
  return body?.kind === 'batch' ? body.texts.map(readEnvelope) : [readEnvelope(text)];
}
