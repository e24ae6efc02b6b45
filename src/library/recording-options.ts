import type { BridgeCaptureOptions, HttpTransport, ListenOptions } from '../capture/capture-options.ts';
import { REDACT_MODES, type RedactionRules } from '../redact/redaction-rules.ts';
import type { RedactMode } from '../redact/redactor.ts';
import { type CommandTarget, type UrlTarget, usage } from './target.ts';

/** What is recorded, and where it is kept. */
export interface RecordingOptions {
  /**
   * Where the recording is written: a session file, which replaces another of that name; or, if the name ends in `.jsonl`, a
   * trace, which never does: it gets another name then. Without it nothing is left on disk, and `stop` gives the session.
   */
  readonly file?: string | undefined;
  /** A short name for people. */
  readonly label?: string | undefined;
  /** Notes of your own. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** What never reaches the disk: `secrets` if absent. What is forwarded stays as it is. */
  readonly redact?: RedactMode | undefined;
  /** Names of members whose values are removed, too. */
  readonly redactKeys?: readonly string[] | undefined;
  /** Patterns of what is removed, too, in the syntax of RE2. */
  readonly redactValues?: readonly string[] | undefined;
  /** Places in messages from which it is removed, too, as JSONPaths. */
  readonly redactPaths?: readonly string[] | undefined;
  /** Told of what the command line would say on stderr. */
  readonly onNote?: ((line: string) => void) | undefined;
}

/** Clients connect over HTTP. */
export interface HttpClients {
  readonly listenTransport: HttpTransport;
  /** Any that is free if absent, or 0. */
  readonly listenPort?: number | undefined;
}

/** The same where the server is reached over HTTP itself: then it is the server's own transport, if absent. */
export type HttpClientsAsServer = Partial<HttpClients>;

/** Clients run a program, or are in this process. */
export interface LocalClients {
  readonly listenTransport: 'stdio';
}

/** A recording whose clients run a program, or are in this process. */
export type LocalRecordingOptions = RecordingOptions &
  ((CommandTarget & Partial<LocalClients>) | (UrlTarget & LocalClients));

/** A recording whose clients connect over HTTP. */
export type HttpRecordingOptions = RecordingOptions &
  ((CommandTarget & HttpClients) | (UrlTarget & HttpClientsAsServer));

const LISTEN_TRANSPORTS: readonly string[] = ['stdio', 'sse', 'streamable-http'];

/** How clients come in. */
export function listenFrom(
  options: { readonly listenTransport?: string | undefined; readonly listenPort?: number | undefined },
  otherwise: BridgeCaptureOptions['listen']['transport'],
): BridgeCaptureOptions['listen'] {
  const { listenTransport = otherwise, listenPort } = options;
  if (!LISTEN_TRANSPORTS.includes(listenTransport)) {
    throw usage(`Unknown listenTransport: ${listenTransport}`, `Known: ${LISTEN_TRANSPORTS.join(', ')}.`);
  }
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
  if (!REDACT_MODES.includes(redact))
    throw usage(`redact ${redact} is not known`, `Known: ${REDACT_MODES.join(', ')}.`);
  return { mode: redact, keys: redactKeys, values: redactValues, paths: redactPaths };
}
