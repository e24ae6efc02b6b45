import type { JsonText } from './entry.ts';

/** The result of applying the rules to a message: it was changed, has to wait, or is not forwarded. */
export interface RuleOutcome {
  /** The names of the rules that apply, in order. */
  readonly rules: readonly string[];
  /** The text to forward, changed or not. */
  readonly text: JsonText;
  readonly delayMs: number;
  readonly holds: boolean;
  /** Set if the message is not forwarded: it is dropped or answered. */
  readonly end?: { readonly action: 'drop' } | { readonly action: 'answer'; readonly text: JsonText } | undefined;
}
