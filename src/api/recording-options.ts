import type { BridgeCaptureOptions, HttpTransport, ListenOptions } from '../capture/capture-options.ts';
import { REDACT_MODES, type RedactionRules } from '../redact/redaction-rules.ts';
import type { RedactMode } from '../redact/redactor.ts';
import { assertKnown, usage } from './given-option.ts';
import type { CommandTarget, UrlTarget } from './target.ts';

/** What is recorded, and where it is kept. */
export interface RecordingOptions {
  /**
   * Where the recording is written: a session file, which replaces another of that name; or, if the name ends in `.jsonl`, a
   * trace, which never does: it gets another name then. Without it nothing is left on disk, and `stop` gives the session.
   */
  readonly file?: string | undefined;
  /** A short name for people; made of the server's command or address if absent. */
  readonly label?: string | undefined;
  /** Notes of your own; none if absent. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** What never reaches the disk: `secrets` if absent. What is forwarded stays as it is. */
  readonly redact?: RedactMode | undefined;
  /** Names of members whose values are removed, too; none if absent. */
  readonly redactKeys?: readonly string[] | undefined;
  /** Patterns of what is removed, too, in the syntax of RE2; none if absent. */
  readonly redactValues?: readonly string[] | undefined;
  /** Places in messages from which it is removed, too, as JSONPaths; none if absent. */
  readonly redactPaths?: readonly string[] | undefined;
  /** Told of what the command line would say on stderr. */
  readonly onNote?: ((line: string) => void) | undefined;
}

/** Clients connect over HTTP. */
export interface HttpClients {
  /** What they speak. */
  readonly listenTransport: HttpTransport;
  /** The port on this machine; any that is free if absent, or 0. */
  readonly listenPort?: number | undefined;
}

/** The same where the server is reached over HTTP itself: then it is the server's own transport, if absent. */
export type HttpClientsAsServer = Partial<HttpClients>;

/** Clients run a program, or are in this process. */
export interface LocalClients {
  /** For a server that is a program it may be left out. */
  readonly listenTransport: 'stdio';
}

/** A recording whose clients run a program, or are in this process. */
export type LocalRecordingOptions = RecordingOptions &
  ((CommandTarget & Partial<LocalClients>) | (UrlTarget & LocalClients));

/** A recording whose clients connect over HTTP. */
export type HttpRecordingOptions = RecordingOptions &
  ((CommandTarget & HttpClients) | (UrlTarget & HttpClientsAsServer));

/** How clients come in. */
export function listenFrom(
  options: { readonly listenTransport?: string | undefined; readonly listenPort?: number | undefined },
  otherwise: BridgeCaptureOptions['listen']['transport'],
): BridgeCaptureOptions['listen'] {
  const { listenTransport = otherwise, listenPort } = options;
  assertKnown('listenTransport', listenTransport, ['stdio', 'sse', 'streamable-http']);
  if (listenTransport !== 'stdio') return httpListen(listenTransport === 'sse' ? 'sse' : 'streamable-http', listenPort);
  if (listenPort === undefined) return { transport: 'stdio' };
  throw usage('listenPort needs clients that connect over HTTP', "Give listenTransport: 'streamable-http'.");
}

/** A listener that only this machine can reach. */
export function httpListen(transport: HttpTransport, port = 0): ListenOptions {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw usage(`listenPort ${port} is not a port`, 'Give a number up to 65535, or 0 for any that is free.');
  }
  return { transport, host: '127.0.0.1', port };
}

/** What is to be removed. */
export function redactionFrom(options: RecordingOptions): RedactionRules {
  const { redact = 'secrets', redactKeys = [], redactValues = [], redactPaths = [] } = options;
  assertKnown('redact', redact, REDACT_MODES);
  return { mode: redact, keys: redactKeys, values: redactValues, paths: redactPaths };
}
