import { type Handshake, RefusedHandshakes } from './refused-handshakes.ts';
import { type IsOpen, UnnamedConversations, type Visitor } from './unnamed-conversations.ts';

/** How many ended conversations keep their names. */
const MAX_ENDED = 100;

/**
 * Assigns HTTP requests to conversations. `initialize` opens a conversation, and the session id in its response names
 * it. Requests with that id belong to it. In HTTP+SSE, each event stream is a conversation, named by its endpoint
 * address. All other requests belong to conversation 0.
 */
export class HttpConversations {
  readonly #byName = new Map<string, number>();
  /** Opened conversations without a session id, because their server does not use sessions. */
  readonly #unnamed: UnnamedConversations;
  /** Names of ended conversations. */
  readonly #ended = new Set<string>();
  readonly #refused = new RefusedHandshakes();
  #last = 0;

  constructor(isOpen: IsOpen) {
    this.#unnamed = new UnnamedConversations(isOpen);
  }

  open(): number {
    this.#last++;
    return this.#last;
  }

  /** The conversation of an `initialize`: a new one, or that of the refused handshake that it repeats. */
  begin(handshake: Handshake): number {
    return this.#refused.take(handshake) ?? this.open();
  }

  /**
   * The `initialize` of this conversation was refused. The client may retry once it meets the server's requirements.
   */
  refuse(conversation: number, handshake: Handshake, isUnauthorized: boolean): void {
    this.#refused.add({ ...handshake, conversation, isUnauthorized });
  }

  /** The conversation with this name. An unknown one started before mcpreel did, and gets a new number. */
  named(name: string): number {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const opened = this.open();
    this.#byName.set(name, opened);
    return opened;
  }

  /** The conversation with this name, if it is known. */
  ofName(name: string): number | undefined {
    return this.#byName.get(name);
  }

  name(conversation: number, name: string): void {
    this.#ended.delete(name);
    this.#byName.set(name, conversation);
  }

  /** An exchange has begun on a client's connection, or ended. */
  exchangeBegan(visitor: Visitor): void {
    this.#unnamed.began(visitor);
  }

  exchangeEnded(visitor: Visitor): void {
    this.#unnamed.ended(visitor);
  }

  /** The server assigned no session id to the conversation. */
  leaveUnnamed(conversation: number, visitor: Visitor): void {
    this.#unnamed.add(conversation, visitor);
  }

  /** The conversation of a request without session id; 0 if its client is not known. */
  ofUnnamed(visitor: Visitor): number {
    return this.#unnamed.of(visitor) ?? 0;
  }

  /** The conversation with this name has ended. Late messages are still assigned to it, until many more have ended. */
  end(name: string): void {
    this.#ended.add(name);
    if (this.#ended.size <= MAX_ENDED) return;
    const [first = ''] = this.#ended;
    this.#ended.delete(first);
    this.#byName.delete(first);
  }
}
