import type { RequestHead } from '../../proxy/http/exchange-tap.ts';

/** The heads of so many conversations are remembered: of those that were heard of last. */
const MAX_REMEMBERED = 1000;

/**
 * Remembers how the client of each conversation last said something: whoever says more in its place does it the same way,
 * with the same credentials and the same session.
 */
export class LastRequestHeads {
  readonly #heads = new Map<number, RequestHead>();
  readonly #sessionIds = new Map<number, string>();

  spoke(conversation: number, head: RequestHead): void {
    this.#heads.delete(conversation);
    this.#heads.set(conversation, head);
    if (this.#heads.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#heads.keys();
    if (oldest !== undefined) this.forget(oldest);
  }

  /** The target calls the session so from now on. */
  isCalled(conversation: number, sessionId: string): void {
    if (this.#heads.has(conversation)) this.#sessionIds.set(conversation, sessionId);
  }

  forget(conversation: number): void {
    this.#heads.delete(conversation);
    this.#sessionIds.delete(conversation);
  }

  /** Those in which a client has said something, and which are not over. */
  get conversations(): readonly number[] {
    return [...this.#heads.keys()];
  }

  headOf(conversation: number): RequestHead | undefined {
    const head = this.#heads.get(conversation);
    const sessionId = this.#sessionIds.get(conversation);
    if (head === undefined || sessionId === undefined) return head;
    const isNamed = head.headers.some((text, at) => at % 2 === 0 && text.toLowerCase() === 'mcp-session-id');
    return isNamed ? head : { ...head, headers: [...head.headers, 'Mcp-Session-Id', sessionId] };
  }
}
