/** How many differences there are between two sessions. */
export interface DifferenceCounts {
  readonly contract: number;
  readonly breaking: number;
  readonly sequence: number;
  readonly values: number;
}

/** The numbers of differences by kind: `2 in the contract (1 breaking)`, `3 in values`. */
export function differenceCounts({ contract, breaking, sequence, values }: DifferenceCounts): string[] {
  const inContract = `${contract} in the contract${breaking > 0 ? ` (${breaking} breaking)` : ''}`;
  return [
    contract > 0 ? inContract : '',
    sequence > 0 ? `${sequence} in the calls` : '',
    values > 0 ? `${values} in values` : '',
  ].filter((count) => count !== '');
}
