/** The platform, folders and environment that determine where clients keep their configuration. */
export interface InstallPlace {
  readonly platform: string;
  readonly home: string;
  /** The current project's folder. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The path to a map of servers in a config file, key by key. `*` matches every key. */
export type MapPattern = readonly string[];

/** An MCP client, and the format of its server configuration. */
export interface InstallClient {
  readonly id: string;
  readonly title: string;
  readonly syntax: 'jsonc' | 'toml';
  readonly maps: readonly MapPattern[];
  /** Lists every file that may contain servers, the user's files first. */
  files(place: InstallPlace): readonly string[];
}
