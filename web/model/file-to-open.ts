/** The original file of a recording that is embedded in a page. */
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
  /** The server's name for this recording. */
  readonly served?: string | undefined;
}
