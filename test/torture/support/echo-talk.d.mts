type Json = Readonly<Record<string, unknown>>;

/** What is left of a conversation with a server that says everything back. */
export interface KeptTrace {
  readonly metas: readonly Json[];
  readonly messages: number;
  /** How many messages each gap stands for. */
  readonly gaps: readonly number[];
  /** How many messages there are altogether, kept and missing. */
  readonly accounted: number;
  readonly tornLines: number;
  readonly end: Json | undefined;
  /** Messages that stand where another was said. */
  readonly faults: readonly string[];
}

export function keptOf(trace: string): KeptTrace;

/** The message with this number. */
export function messageText(number: number): string;
