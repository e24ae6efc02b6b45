/** Facts about the original file of a recording that is embedded in a page. */
export interface FileOrigin {
  readonly format: string;
  readonly infersDirections: boolean;
  readonly numbersTimes: boolean;
}

/** A file that the program that serves the page reads, range by range. */
export interface RemoteFile {
  readonly address: string;
  readonly token: string;
  readonly size: number;
}

/** A file to open. */
export interface FileToOpen {
  readonly name: string;
  /** Its bytes; the first ones if it is remote. */
  readonly blob: Blob;
  readonly remote?: RemoteFile | undefined;
  /** The id of its format, to skip detection. */
  readonly format?: string | undefined;
  readonly origin?: FileOrigin | undefined;
  /** The id of this recording in the program that serves the page. */
  readonly served?: string | undefined;
}
