/** What a recording was before it was written into a page of its own. */
export interface FileOrigin {
  readonly format: string;
  readonly infersDirections: boolean;
  readonly numbersTimes: boolean;
}

/** A file to be opened. */
export interface FileToOpen {
  readonly name: string;
  readonly blob: Blob;
  /** The id of its format, where its content shall not tell. */
  readonly format?: string | undefined;
  readonly origin?: FileOrigin | undefined;
  /** What it is called by whoever serves the page. */
  readonly served?: string | undefined;
}
