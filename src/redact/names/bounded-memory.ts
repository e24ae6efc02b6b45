/** The number of answers that are kept. A session uses the same few names again and again. */
const MAX_KEPT = 4096;

/** Remembers the answers to questions about short texts, up to a fixed number. */
export class BoundedMemory<Answer> {
  readonly #answers = new Map<string, Answer>();

  get(question: string, answer: (question: string) => Answer): Answer {
    const known = this.#answers.get(question);
    if (known !== undefined || this.#answers.has(question)) return known as Answer;
    if (this.#answers.size >= MAX_KEPT) this.#answers.clear();
    // A part of a long text keeps the whole text in memory, so the copy is kept.
    const copy = ` ${question}`.slice(1);
    const found = answer(copy);
    this.#answers.set(copy, found);
    return found;
  }
}
