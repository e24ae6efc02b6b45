/**
 * Detects one kind of secret in a string.
 *
 * A pattern must run in linear time on any text. If it repeats without a limit, one of two conditions must hold. Either
 * the repeated part cannot contain another start of the pattern (`startsToken` allows one start per run of token
 * characters). Or the pattern matches and thereby consumes the text.
 */
export interface Detector {
  /** The kind that the placeholder shows. */
  readonly kind: string;
  /**
   * Four consecutive characters that every such secret contains. Each is a literal or a class (`gh[opusr]_`). They
   * should be rare, because the scan of clean text searches for them.
   */
  readonly anchors: readonly string[];
  /**
   * The number of characters from the pattern's start to the anchor. Negative if the pattern starts after the anchor.
   */
  readonly lead?: number;
  /** Must be sticky. The first group is the secret, or the whole match if there is no group. */
  readonly pattern: RegExp;
  /**
   * Must be sticky, and must match in the JSON text of a string wherever the pattern matches in the string itself.
   * Required if an escape (`\/`, `\"`, `
   * `) may occur within the pattern.
   */
  readonly hint?: RegExp;
  /** The hint only counts if the whole text matches this pattern as well. */
  readonly onlyWith?: RegExp;
  /** Whether the pattern may begin within a word, because it checks the preceding text itself. */
  readonly anywhere?: boolean;
  /** Whether the surrounding text identifies the secret. A secret's own shape takes precedence for naming it. */
  readonly byContext?: boolean;
  /** Returns the actual end of the secret, given the end of the match. `undefined` if the match is not a secret. */
  readonly endOf?: (text: string, matchEnd: number) => number | undefined;
  /** After a pattern that reads far ahead has failed, so many characters are skipped before it is tried again. */
  readonly skips?: number;
  /** A final check of the secret that was found by the match at `at`. */
  readonly accepts?: (secret: string, text: string, at: number) => boolean;
}

/** A span of a string to redact. */
export interface DetectedSpan {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  /** If two findings cover the same span, the lower rank determines its kind. */
  readonly rank: number;
}

/** The ranks of findings, from the most specific to the least specific kind. */
export const RANK = { shape: 0, given: 1, context: 2, pattern: 3 } as const;
