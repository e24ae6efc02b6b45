/** How many conversations a bridge serves at once. Each may have a server process of its own. */
const DEFAULT_MAX_CONVERSATIONS = 256;

/** Limits the conversations of all clients together. */
export class ConversationLimit {
  readonly #max: number;
  readonly #note: (line: string) => void;
  #open = 0;
  #isReported = false;

  constructor(note: (line: string) => void, max: number = DEFAULT_MAX_CONVERSATIONS) {
    this.#note = note;
    this.#max = max;
  }

  /** Admits a conversation, and returns what to call at its end; `undefined` if there are too many. */
  enter(): (() => void) | undefined {
    if (this.#open >= this.#max) {
      if (!this.#isReported)
        this.#note(`mcpreel: ${this.#max} conversations are open: others get 503 for now (--max-conversations)`);
      this.#isReported = true;
      return undefined;
    }
    this.#open++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#open--;
      this.#isReported = false;
    };
  }
}
