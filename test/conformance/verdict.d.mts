/** What the suite says of one check. */
export interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** What it says of a server, by the scenario. */
export type Results = ReadonlyMap<string, readonly Check[]>;

export function differences(direct: Results, proxied: Results): string[];
export function faultsOf(direct: Results, scenarios: readonly string[]): string[];
