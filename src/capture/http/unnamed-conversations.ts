/** Who sent a request: what tells clients of a server without session ids apart. */
export interface Visitor {
  /** The `User-Agent`. */
  readonly agent: string;
  readonly connection: number | undefined;
}

/** Returns whether a connection of a client is still open. */
export type IsOpen = (connection: number) => boolean;

/** How many conversations are told apart, the most recent ones. */
const MAX_KNOWN = 100;
/** How many connections of one client are remembered. */
const MAX_CONNECTIONS = 16;

interface UnnamedConversation {
  readonly agent: string;
  readonly connections: Set<number>;
}

/**
 * The conversations with servers that do not use session ids. If there are several, a request belongs to the one on whose
 * connection it arrives, to the only one with its `User-Agent`, or to the only one that is still connected.
 */
export class UnnamedConversations {
  readonly #known = new Map<number, UnnamedConversation>();
  /** The number of open exchanges on each connection. */
  readonly #busy = new Map<number, number>();
  readonly #isOpen: IsOpen;

  constructor(isOpen: IsOpen) {
    this.#isOpen = isOpen;
  }

  began({ connection }: Visitor): void {
    if (connection !== undefined) this.#busy.set(connection, (this.#busy.get(connection) ?? 0) + 1);
  }

  ended({ connection }: Visitor): void {
    if (connection === undefined) return;
    const left = (this.#busy.get(connection) ?? 1) - 1;
    if (left > 0) this.#busy.set(connection, left);
    else this.#busy.delete(connection);
  }

  add(conversation: number, visitor: Visitor): void {
    const known = { agent: visitor.agent, connections: new Set<number>() };
    this.#known.set(conversation, known);
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value ?? 0);
    this.#note(known, visitor);
  }

  /** The conversation of a request, if that is certain enough. */
  of(visitor: Visitor): number | undefined {
    const found = this.#find(visitor);
    const known = found === undefined ? undefined : this.#known.get(found);
    if (known !== undefined) this.#note(known, visitor);
    return found;
  }

  #find({ agent, connection }: Visitor): number | undefined {
    const all = [...this.#known];
    if (all.length === 1) return all[0]?.[0];
    const here = all.filter(([, { connections }]) => connection !== undefined && connections.has(connection));
    if (here.length > 0) return only(here);
    const ofAgent = all.filter((one) => one[1].agent === agent);
    if (ofAgent.length === 1) return only(ofAgent);
    const connected = (ofAgent.length > 0 ? ofAgent : all).filter(([, { connections }]) =>
      [...connections].some(this.#isOpen),
    );
    const [first] = connected;
    // A client that has an idle connection would have used that one.
    if (first === undefined || this.#hasIdle(first[1])) return undefined;
    return only(connected);
  }

  #hasIdle({ connections }: UnnamedConversation): boolean {
    return [...connections].some((connection) => this.#isOpen(connection) && !this.#busy.has(connection));
  }

  #note({ connections }: UnnamedConversation, { connection }: Visitor): void {
    if (connection === undefined || connections.has(connection)) return;
    for (const one of connections) if (!this.#isOpen(one)) connections.delete(one);
    if (connections.size < MAX_CONNECTIONS) connections.add(connection);
  }
}

function only(found: readonly (readonly [number, UnnamedConversation])[]): number | undefined {
  return found.length === 1 ? found[0]?.[0] : undefined;
}
