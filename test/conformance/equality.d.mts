export interface Figures {
  readonly scenarios: number;
  readonly checks: number;
  readonly passed: number;
  readonly failed: number;
}

export interface Comparison {
  readonly direct: Figures;
  /** With how many messages mcpreel recorded. */
  readonly proxied: Figures & { readonly messages: number | undefined };
  /** Which checks are not the same, a line each. */
  readonly differences: readonly string[];
  /** What is wrong beside that, a line each. */
  readonly faults: readonly string[];
}

export function compareRuns(options: {
  readonly revision: '2025-11-25' | '2026-07-28';
  readonly only?: string | undefined;
  readonly proxy?: 'mcpreel' | 'pass-through' | 'mock';
}): Promise<Comparison>;
