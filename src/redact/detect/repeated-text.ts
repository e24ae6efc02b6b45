/** The text before and after an offset on which it depends whether a secret is there. */
const REACH_BACK = 96;
const REACH_AHEAD = 512;
/** A text may repeat itself with several offsets in each part that it repeats. */
const MAX_KEPT = 4;

/** After so many offsets that do not repeat an earlier one, only one in so many is compared. */
const MANY_MISSES = 32;
const SAMPLED = 16;

/** An offset without a secret, and how far the text repeats itself from there. */
interface KnownOffset {
  at: number;
  /** The text up to `end` is equal to the text `shift` characters before. */
  shift: number;
  end: number;
}

/**
 * Recognizes offsets at which a text repeats what is around an earlier offset that had no secret. Each character is
 * compared a few times at most, so that text that repeats itself takes no longer than other text.
 */
export class RepeatedText {
  readonly #text: string;
  readonly #known: KnownOffset[] = [];
  #oldest = 0;
  /** The number of offsets since the last one that repeated an earlier one. */
  #misses = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Remembers an offset that has no secret. */
  add(at: number): void {
    this.#known[this.#oldest] = { at, shift: 0, end: 0 };
    this.#oldest = (this.#oldest + 1) % MAX_KEPT;
  }

  /** Returns whether the text around an offset is the same as around one without a secret. */
  has(at: number): boolean {
    const text = this.#text;
    const end = at + REACH_AHEAD;
    if (end > text.length || (this.#misses++ > MANY_MISSES && this.#misses % SAMPLED !== 0)) return false;
    for (const known of this.#known) {
      const shift = at - known.at;
      if (known.at < REACH_BACK || shift <= 0) continue;
      let i = known.shift === shift ? known.end : at - REACH_BACK;
      while (i < end && text.charCodeAt(i) === text.charCodeAt(i - shift)) i++;
      if (i < end) continue;
      known.at = at;
      known.shift = shift;
      known.end = end;
      this.#misses = 0;
      return true;
    }
    return false;
  }
}
