import type { JsonText } from './entry.ts';

/** What rules say of a message: they have changed it, or it has to wait, or it goes no further. */
export interface RuleOutcome {
  /** The names of the rules that apply, in their order. */
  readonly rules: readonly string[];
  /** What goes on, changed or not. */
  readonly text: JsonText;
  readonly delayMs: number;
  readonly holds: boolean;
  /** What ends its way here, if anything does. */
  readonly end?: { readonly action: 'drop' } | { readonly action: 'answer'; readonly text: JsonText } | undefined;
}
