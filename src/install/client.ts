/** Where somebody's programs keep their configuration. */
export interface InstallPlace {
  readonly platform: string;
  readonly home: string;
  /** The folder of the project that is being worked on. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The way to a map of servers inside a file, key by key; `*` stands for every key. */
export type MapPattern = readonly string[];

/** A program that runs MCP servers, and how its configuration names them. */
export interface InstallClient {
  readonly id: string;
  readonly title: string;
  readonly syntax: 'jsonc' | 'toml';
  readonly maps: readonly MapPattern[];
  /** Every file that may name servers, the ones of the user first. */
  files(place: InstallPlace): readonly string[];
}
