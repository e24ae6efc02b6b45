import type { RequestHead } from '../../proxy/http/exchange-tap.ts';

/** How many conversations are remembered, the most recently active ones. */
const MAX_REMEMBERED = 1000;

/**
 * Remembers the last request head of each conversation. Injected requests reuse it, with the same credentials and
 * session.
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

  /** The target assigned this session id. */
  isCalled(conversation: number, sessionId: string): void {
    if (this.#heads.has(conversation)) this.#sessionIds.set(conversation, sessionId);
  }

  forget(conversation: number): void {
    this.#heads.delete(conversation);
    this.#sessionIds.delete(conversation);
  }

  /** Conversations with at least one request that have not ended. */
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
