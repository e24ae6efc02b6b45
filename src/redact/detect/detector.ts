/**
 * How one kind of secret is recognised in a string.
 *
 * A pattern must be linear on any text: where it repeats without a limit, either what it repeats cannot contain another
 * start of it (`startsToken` allows one start in a run of token characters), or it matches and so uses the text up.
 */
export interface Detector {
  /** As it stands in the placeholder. */
  readonly kind: string;
  /**
   * Four characters in a row that every such secret has, each one itself or a class (`gh[opusr]_`). Rare ones: they are
   * what the scan of clean text looks for.
   */
  readonly anchors: readonly string[];
  /** How many characters before the anchor the pattern begins (after it, if negative). */
  readonly lead?: number;
  /** Sticky. Its first group is the secret, or all of it where it has none. */
  readonly pattern: RegExp;
  /**
   * Sticky; must match in the JSON text of a string wherever the pattern matches in the string itself. Needed where an
   * escape (`\/`, `\"`, `\n`) may stand in the middle of the pattern.
   */
  readonly hint?: RegExp;
  /** What the text as a whole must also have for the hint to count. */
  readonly onlyWith?: RegExp;
  /** Whether the pattern may begin within a word, because it looks at what is before it by itself. */
  readonly anywhere?: boolean;
  /** Whether it is known by what is around it; a shape that is known by itself names the value better. */
  readonly byContext?: boolean;
  /** Where the secret that starts with the match really ends, given where the match does; `undefined` if it is none. */
  readonly endOf?: (text: string, matchEnd: number) => number | undefined;
  /** A last look at what was found by the match at `at`. */
  readonly accepts?: (secret: string, text: string, at: number) => boolean;
}

/** A pattern for what only calls for a closer look. */
export const NEVER: RegExp = /(?!)/dy;

/** A span of a string that has to go. */
export interface DetectedSpan {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  /** Of two findings of the same span the one with the lower rank names it. */
  readonly rank: number;
}

/** From what names a value best to what does so least. */
export const RANK = { shape: 0, given: 1, context: 2, pattern: 3 } as const;
