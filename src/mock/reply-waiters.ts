import type { JsonText } from '../model/entry.ts';
import { idKey } from '../protocol/envelope.ts';
import type { ClientDialogue, MessageDelivery } from '../transport/inbound/inbound-transport.ts';

/** Sends messages to one client and tracks which of its requests are unanswered. */
export class ReplyWaiters {
  readonly #client: ClientDialogue;
  readonly #waiting = new Set<string | number>();
  readonly #whenAnswered: (() => void)[] = [];
  #batch: JsonText[] | undefined;
  #takesMore = true;

  constructor(client: ClientDialogue) {
    this.#client = client;
  }

  /** Whether the client reads as fast as messages arrive. */
  get takesMore(): boolean {
    return this.#takesMore;
  }

  /** The client can receive again. */
  drained(): void {
    if (this.#takesMore) return;
    this.#takesMore = true;
    this.#client.resume();
  }

  send(text: JsonText, delivery: MessageDelivery): void {
    if (!this.#client.deliver(text, delivery)) this.#takesMore = false;
  }

  expect(id: JsonText): void {
    this.#waiting.add(idKey(id));
  }

  answer(text: JsonText, id: JsonText): void {
    if (this.#batch === undefined) this.send(text, { answers: id });
    else this.#batch.push(text);
    this.settle(id);
  }

  /** Marks a request as done, answered or not. */
  settle(id: JsonText): void {
    if (!this.#waiting.delete(idKey(id)) || this.#waiting.size > 0) return;
    for (const resolve of this.#whenAnswered.splice(0)) resolve();
  }

  /** Resolves when every request is settled. */
  answered(): Promise<void> {
    if (this.#waiting.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenAnswered.push(resolve));
  }

  /** Sends the responses produced during `work` as one batch. Later responses are sent one by one. */
  asBatch(work: () => void): void {
    if (this.#client.takesApart) {
      work();
      return;
    }
    const answers: JsonText[] = [];
    this.#batch = answers;
    work();
    this.#batch = undefined;
    if (answers.length > 0) this.send(`[${answers.join(',')}]`, {});
  }
}
