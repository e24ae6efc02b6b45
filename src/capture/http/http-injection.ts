import { noConversation, severalConversations } from '../../intercept/which-conversation.ts';
import type { Direction } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import type { HttpRelay } from '../../proxy/http/http-relay.ts';
import type { LastRequestHeads } from './last-request-heads.ts';

/** Injects messages into an HTTP session, to the client or to the target. */
export class HttpInjection {
  readonly #relay: HttpRelay;
  readonly #heads: LastRequestHeads;

  constructor(relay: HttpRelay, heads: LastRequestHeads) {
    this.#relay = relay;
    this.#heads = heads;
  }

  /** Throws if no receiver is connected, or if it is ambiguous. */
  inject(direction: Direction, text: string, conversation: number | undefined): void {
    if (direction === 'client_to_server') this.#sayToTarget(text, conversation);
    else this.#sayToClient(text, conversation);
  }

  /** Sends an answer to the side that waits for it, if it is still connected. */
  answer(direction: Direction, text: string, conversation: number): void {
    try {
      this.inject(direction, text, conversation);
    } catch {
      // The receiver is gone.
    }
  }

  #sayToTarget(text: string, requested: number | undefined): void {
    const conversation = requested ?? onlyOne(this.#heads.conversations);
    const head = conversation === undefined ? undefined : this.#heads.headOf(conversation);
    if (head === undefined) {
      throw requested === undefined
        ? new ReelError('session-live', 'No client has sent a message yet')
        : noConversation(requested);
    }
    this.#relay.say(text, head);
  }

  #sayToClient(text: string, requested: number | undefined): void {
    const { streams } = this.#relay;
    const conversation = requested ?? onlyOne(streams.map((stream) => stream.conversation));
    const own = streams.filter((stream) => stream.conversation === conversation);
    const stream = own.findLast(({ isListening }) => isListening) ?? own.at(-1);
    if (stream === undefined) {
      const where = requested === undefined ? '' : ` in conversation ${requested}`;
      throw new ReelError('session-live', `No client has an open event stream${where}`);
    }
    stream.inject(text);
  }
}

/** The conversation to use if none is named. Conversation 0 is used only if there is no other. */
function onlyOne(conversations: readonly number[]): number | undefined {
  const named = [...new Set(conversations.filter((conversation) => conversation > 0))];
  if (named.length > 1) throw severalConversations(named);
  return named[0] ?? conversations[0];
}
