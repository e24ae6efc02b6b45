interface Row {
  readonly title: string;
  readonly figures: Readonly<Record<string, number>>;
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly less?: boolean;
  readonly met?: boolean;
}

interface Benchmark {
  readonly benchmark: string;
  readonly about: string;
  readonly environment: { readonly node: string; readonly platform: string; readonly cores: number };
  readonly limited: string;
  readonly peers: readonly string[];
  readonly rows: readonly Row[];
}

/** The tables of a run by the names of their places in a page, and the rows whose limit is missed. */
export function overview(results: { readonly date: string; readonly benchmarks: readonly Benchmark[] }): {
  readonly tables: Readonly<Record<string, string>>;
  readonly missed: readonly string[];
};

/** Puts each table into a page, between the marks that stand there for it. */
export function placeTables(path: string, tables: Readonly<Record<string, string>>): void;
