/** Facts about the original file of a recording that is embedded in a page. */
export interface FileOrigin {
  readonly format: string;
  readonly infersDirections: boolean;
  readonly numbersTimes: boolean;
}

/** A file to open. */
export interface FileToOpen {
  readonly name: string;
  readonly blob: Blob;
  /** The id of its format, to skip detection. */
  readonly format?: string | undefined;
  readonly origin?: FileOrigin | undefined;
  /** The id of this recording in the program that serves the page. */
  readonly served?: string | undefined;
}
