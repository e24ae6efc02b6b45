import type { MessageEntry } from '../../model/entry.ts';

/** A message that waits for a decision, as the session tells of it. */
export interface HeldRow {
  readonly id: string;
  readonly message: MessageEntry;
  /** The text that was seen, where rules have changed it. */
  readonly original: string | undefined;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly rule: string | undefined;
  /** Whether the session is over, and nobody can decide on it any more. */
  readonly isAbandoned: boolean;
}

/** What it takes of a held message to show it. */
export interface HeldFacts {
  readonly id: string;
  readonly direction: MessageEntry['direction'];
  readonly text: string;
  readonly atMs: number;
  readonly untilMs: number;
  readonly conversation: number;
  readonly rule?: string | undefined;
  readonly changedText?: string | undefined;
}

/** The messages that wait, in the order in which they came. */
export class HeldMessages {
  readonly #held = new Map<string, HeldRow>();
  #rows: readonly HeldRow[] = [];

  get rows(): readonly HeldRow[] {
    return this.#rows;
  }

  /** How many wait for a decision. */
  get count(): number {
    return this.#rows.filter(({ isAbandoned }) => !isAbandoned).length;
  }

  add(facts: HeldFacts, isAbandoned = false): void {
    const { id, direction, text, changedText, atMs, untilMs, conversation, rule } = facts;
    const message: MessageEntry = {
      kind: 'message',
      sequence: -1,
      proxyId: id,
      atMs,
      direction,
      text: changedText ?? text,
      conversation,
    };
    const original = changedText === undefined ? undefined : text;
    this.#held.set(id, { id, message, original, sinceMs: atMs, untilMs, rule, isAbandoned });
    this.#rows = [...this.#held.values()];
  }

  remove(id: string): void {
    if (this.#held.delete(id)) this.#rows = [...this.#held.values()];
  }

  /** The session is over: nothing waits any more, and of these it was never told that they went. */
  end(abandoned: readonly HeldFacts[]): void {
    this.#held.clear();
    this.#rows = [];
    for (const facts of abandoned) this.add(facts, true);
  }
}
