export interface RecordedText {
  readonly dir: 'in' | 'out';
  readonly text: string;
  readonly conversation: number;
}

export interface Compared {
  readonly faults: readonly string[];
  readonly missing: number;
}

export interface Ledger {
  readonly name: string;
  readonly sent: readonly string[];
  readonly received?: readonly string[];
}

export function missedIn(recorded: {
  readonly events: readonly { readonly kind: string; readonly raw: unknown }[];
}): number;
export function compareInOrder(recorded: readonly string[], passed: readonly string[]): Compared;
export function compareAsSets(recorded: readonly string[], passed: readonly string[]): Compared;
export function compareConversations(
  recorded: { readonly messages: readonly RecordedText[] },
  ledgers: readonly Ledger[],
): Compared;
