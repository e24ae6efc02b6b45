import { noConversation, severalConversations } from '../../intercept/which-conversation.ts';
import type { Direction } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import type { ClientDialogue, DialogueEvents } from '../../transport/inbound/inbound-transport.ts';
import type { TargetLinkEvents } from '../../transport/outbound/target-link.ts';
import type { BridgeOptions } from './bridge-options.ts';
import { BridgedClient } from './bridged-client.ts';
import { SharedLink } from './shared-link.ts';

/** A receiver of injected messages. */
interface BridgeListener {
  readonly conversation: number;
  inject(direction: Direction, text: string): void;
}

/**
 * Connects each client dialogue with its own target link. Dialogues that are a single exchange share one link. The
 * first of them opens it, and it stays open until the bridge is closed.
 */
export class Bridge {
  readonly #options: BridgeOptions;
  readonly #joints = new Set<BridgedClient>();
  readonly #closings = new Set<Promise<void>>();
  #shared: SharedLink | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  join(dialogue: ClientDialogue): DialogueEvents {
    const { events, holding, openLink } = this.#options;
    const { conversation, isSingle } = dialogue;
    const leave = (): void => {
      client.leave();
      this.#close(client);
    };
    const onTooMuch = (): void => {
      dialogue.end();
      leave();
    };
    const client = new BridgedClient({ dialogue, holding, events, onTooMuch });
    const linkEvents: TargetLinkEvents = {
      onMessage: (text, { requestId, isOwn }) => client.fromTarget(text, { requestId, isOwn }),
      onLine: (stream, text, tooLong) => events.onLine(stream, text, conversation, tooLong),
      onExchange: (exchange) => events.onTargetExchange(exchange, conversation),
      onDrain: () => client.targetDrained(),
      onEnd: (reason) => {
        if (reason === undefined) return;
        client.whenDelivered(() => {
          if (!isSingle) events.onTargetEnd(reason, conversation);
          client.endWith(reason);
          this.#close(client);
        });
      },
    };
    client.link = isSingle ? this.#sharedLink().attach(linkEvents) : openLink(linkEvents);
    this.#joints.add(client);
    return {
      onMessage: (sent) => client.fromClient(sent),
      onAbandon: (requestId) => client.abandon(requestId),
      onDrain: () => client.clientDrained(),
      onEnd: leave,
      answered: () => client.answered(),
      isHeld: () => client.isHeld(),
      released: () => client.released(),
    };
  }

  /** Injects a message. Throws if the receiver is missing or ambiguous. */
  inject(direction: Direction, text: string, conversation: number | undefined): void {
    const listeners = this.#listeners(direction).filter(
      (listener) => conversation === undefined || listener.conversation === conversation,
    );
    const [only, ...others] = listeners;
    if (only === undefined) {
      throw conversation === undefined
        ? new ReelError('session-live', 'No client is connected')
        : noConversation(conversation);
    }
    if (others.length > 0) throw severalOpen(listeners);
    only.inject(direction, text);
  }

  /** Resolves when every target has ended. */
  async close(): Promise<void> {
    for (const client of this.#joints) this.#close(client);
    await Promise.all([this.#shared?.close(), ...this.#closings]);
  }

  #sharedLink(): SharedLink {
    if (this.#shared === undefined || this.#shared.isOver) this.#shared = new SharedLink(this.#options);
    return this.#shared;
  }

  /** A shared target counts as one receiver, regardless of how many clients use it. */
  #listeners(direction: Direction): BridgeListener[] {
    const joints = [...this.#joints];
    const shared = this.#shared;
    if (direction === 'server_to_client' || shared === undefined || shared.isOver) return joints;
    const own = { conversation: 0, inject: (_: Direction, text: string) => this.#sayTo(shared, text) };
    return [...joints.filter(({ isSingle }) => !isSingle), own];
  }

  /** Sends a message to a shared target on a separate lane, because no client must receive the answer. */
  #sayTo(shared: SharedLink, text: string): void {
    const { events } = this.#options;
    const nothing = (): void => undefined;
    const lane = shared.attach({
      onMessage: (answer, { isOwn }) => events.onUndelivered({ text: answer, delivery: { isOwn } }, 0),
      onLine: nothing,
      onExchange: nothing,
      onEnd: nothing,
    });
    lane.send(text);
    events.onSentInPlace(text, { conversation: 0 });
  }

  #close(client: BridgedClient): void {
    if (!this.#joints.delete(client) || client.link === undefined) return;
    const closing = client.link.close().finally(() => this.#closings.delete(closing));
    this.#closings.add(closing);
  }
}

function severalOpen(listeners: readonly BridgeListener[]): ReelError {
  const conversations = [...new Set(listeners.map(({ conversation }) => conversation))];
  if (conversations.length > 1) return severalConversations(conversations);
  // Requests of revision 2026-07-28 all belong to conversation 0.
  return new ReelError('session-live', 'Several requests are open: the target is ambiguous', {
    hint: 'Try again when there is only one.',
  });
}
