import type { MessageEntry } from '../../model/entry.ts';

/** A message that waits for a decision. */
export interface HeldRow {
  readonly id: string;
  readonly message: MessageEntry;
  /** The text as received, if rules have changed it. */
  readonly original: string | undefined;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly rule: string | undefined;
  /** Whether the session has ended, so that no decision is possible any more. */
  readonly isAbandoned: boolean;
}

/** The data needed to show a held message. */
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

/** The held messages in order of arrival. */
export class HeldMessages {
  readonly #held = new Map<string, HeldRow>();
  #rows: readonly HeldRow[] = [];

  get rows(): readonly HeldRow[] {
    return this.#rows;
  }

  /** The number of messages that wait for a decision. */
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

  /** The session has ended, so nothing waits any more. `abandoned` are the held messages without a recorded release. */
  end(abandoned: readonly HeldFacts[]): void {
    this.#held.clear();
    this.#rows = [];
    for (const facts of abandoned) this.add(facts, true);
  }
}
