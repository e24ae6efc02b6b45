/**
 * Finds the next occurrence of a character. Many searches in one text, each from a later offset, read the text once,
 * because an answer holds until its offset is passed.
 */
export class NextOffsets {
  readonly #text: string;
  readonly #known = new Map<string, { readonly from: number; readonly at: number }>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the offset of the next `character` at or after `from`, or the length of the text. */
  of(character: string, from: number): number {
    const known = this.#known.get(character);
    if (known !== undefined && from >= known.from && from <= known.at) return known.at;
    const found = this.#text.indexOf(character, from);
    const at = found < 0 ? this.#text.length : found;
    this.#known.set(character, { from, at });
    return at;
  }

  /** Returns the offset at which a run of characters that `run` matches ends. `run` must be sticky. */
  endOfRun(run: RegExp, from: number): number {
    const known = this.#known.get(run.source);
    if (known !== undefined && from >= known.from && from <= known.at) return known.at;
    run.lastIndex = from;
    const at = run.test(this.#text) ? run.lastIndex : from;
    this.#known.set(run.source, { from, at });
    return at;
  }
}
