export interface Samples {
  /** In bytes. */
  readonly memory: readonly number[];
  readonly handles: readonly number[];
  /** In milliseconds. */
  readonly delays: readonly number[];
}

export function judgeSamples(
  samples: Samples,
  idleDelays: readonly number[],
  limits: { readonly growth: number; readonly jitterMs?: number },
): { readonly wrong: readonly string[] };
