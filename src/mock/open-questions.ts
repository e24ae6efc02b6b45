import type { JsonText } from '../model/entry.ts';
import { idKey } from '../protocol/envelope.ts';

/** What the client is asked, until it answers. */
export class OpenQuestions {
  readonly #open = new Map<string | number, (answer: JsonText) => void>();
  #made = 0;

  /** Takes a question under the id that it has, or under another where that is in use; returns the id. */
  add(id: JsonText | undefined, answered: (answer: JsonText) => void): JsonText {
    const free = id !== undefined && !this.#open.has(idKey(id)) ? id : `"mcpreel-${++this.#made}"`;
    this.#open.set(idKey(free), answered);
    return free;
  }

  /** Takes what the client answers; nothing comes of it where nobody has asked that. */
  answer(id: JsonText, answer: JsonText): void {
    const key = idKey(id);
    const answered = this.#open.get(key);
    this.#open.delete(key);
    answered?.(answer);
  }
}
