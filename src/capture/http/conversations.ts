/** So many conversations that are over keep their names. */
const MAX_ENDED = 100;

/**
 * Tells the clients of a listener apart. `initialize` opens a conversation, the session id of its answer names it, and
 * requests with that id belong to it; so does an event stream of the older transport with the address that it gives out.
 * What belongs to none is conversation 0.
 */
export class HttpConversations {
  readonly #byName = new Map<string, number>();
  /** Those that were opened and got no name: their server keeps no sessions. */
  readonly #unnamed = new Set<number>();
  /** Names of conversations that are over. */
  readonly #ended = new Set<string>();
  #refused: number | undefined;
  #last = 0;

  open(): number {
    this.#last++;
    return this.#last;
  }

  /** The conversation of a handshake: a new one, or the one whose handshake was refused last. */
  begin(): number {
    const again = this.#refused;
    this.#refused = undefined;
    return again ?? this.open();
  }

  /** The handshake of this conversation was refused. The client will try again when it has what it takes. */
  refuse(conversation: number): void {
    this.#refused = conversation;
  }

  /** The conversation of this name: one that goes on from before we listened is as new as any. */
  named(name: string): number {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const opened = this.open();
    this.#byName.set(name, opened);
    return opened;
  }

  /** The conversation of this name if there is one. */
  ofName(name: string): number | undefined {
    return this.#byName.get(name);
  }

  name(conversation: number, name: string): void {
    this.#ended.delete(name);
    this.#byName.set(name, conversation);
  }

  /** The server gave the conversation no name. */
  leaveUnnamed(conversation: number): void {
    this.#unnamed.add(conversation);
  }

  /** The conversation of a request without a name: only where a single client talks is it known whose it is. */
  ofUnnamed(): number {
    const [only] = this.#unnamed;
    return only !== undefined && this.#unnamed.size === 1 ? only : 0;
  }

  /** The conversation of this name is over. What comes late still belongs to it, until many more are over. */
  end(name: string): void {
    this.#ended.add(name);
    if (this.#ended.size <= MAX_ENDED) return;
    const [first = ''] = this.#ended;
    this.#ended.delete(first);
    this.#byName.delete(first);
  }
}
