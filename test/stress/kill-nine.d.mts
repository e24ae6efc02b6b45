export interface KillFigures {
  readonly kills: number;
  /** What is wrong with which session; empty if nothing is. */
  readonly faults: readonly string[];
  readonly messages: number;
  readonly cutInATurn: number;
  readonly mostMissing: number;
  readonly tornLines: number;
  readonly inSeveralParts: number;
  readonly savedMeanwhile: number;
  readonly cutInASave: number;
  readonly exported: number;
}

export function killMany(options: { readonly kills: number; readonly seed: number }): Promise<KillFigures>;
