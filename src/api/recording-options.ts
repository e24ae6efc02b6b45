import type { BridgeCaptureOptions } from '../capture/capture-options.ts';
import { REDACT_MODES, type RedactionRules } from '../redact/redaction-rules.ts';
import type { RedactMode } from '../redact/redactor.ts';
import type { HttpTransport, ListenOptions } from '../transport/http/http-listener.ts';
import { assertKnown, usage } from './given-option.ts';
import type { CommandTarget, UrlTarget } from './target.ts';

/**
 * What to record, and where to write it.
 *
 * @example
 * ```ts
 * import { recordSession, type RecordingOptions } from 'mcpreel';
 *
 * const options: RecordingOptions = {
 *   label: 'shop',
 *   metadata: { ticket: '4711' },
 *   redactKeys: ['email'],
 *   onNote: (line) => console.error(line),
 * };
 * const recording = await recordSession({ command: ['node', 'server.js'], ...options });
 * await recording.stop();
 * ```
 */
export interface RecordingOptions {
  /**
   * Where to write the recording. A session file replaces an existing file. A name that ends in `.jsonl` selects a
   * trace, which never replaces a file and gets another name instead. Default: none, so that nothing is left on disk, and `stop`
   * returns the session.
   */
  readonly file?: string | undefined;
  /** A short display name. Default: derived from the server's command or URL. */
  readonly label?: string | undefined;
  /** Your own metadata for the session header. Default: none. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** What to redact before anything is written to disk. Default: `secrets`. Forwarded messages stay unchanged. */
  readonly redact?: RedactMode | undefined;
  /** Additional member names whose values are redacted. Default: none. */
  readonly redactKeys?: readonly string[] | undefined;
  /** Additional patterns to redact, in RE2 syntax. Default: none. */
  readonly redactValues?: readonly string[] | undefined;
  /** Additional JSONPaths in messages whose values are redacted. Default: none. */
  readonly redactPaths?: readonly string[] | undefined;
  /** Called for each line that the command line would print to stderr. */
  readonly onNote?: ((line: string) => void) | undefined;
}

/**
 * Clients connect over HTTP.
 *
 * @example
 * ```ts
 * import { type HttpClients, recordSession } from 'mcpreel';
 *
 * const clients: HttpClients = { listenTransport: 'streamable-http', listenPort: 0 };
 * const recording = await recordSession({ command: ['node', 'server.js'], ...clients });
 * console.log(recording.url);
 * await recording.stop();
 * ```
 */
export interface HttpClients {
  /** The transport that clients use. */
  readonly listenTransport: HttpTransport;
  /** The port on this machine. Default: 0, which picks a free port. */
  readonly listenPort?: number | undefined;
}

/**
 * HTTP clients of a server that itself uses HTTP. `listenTransport` defaults to the server's transport.
 *
 * @example
 * ```ts
 * import { type HttpClientsAsServer, recordSession } from 'mcpreel';
 *
 * const clients: HttpClientsAsServer = { listenPort: 0 };
 * const recording = await recordSession({ url: 'http://127.0.0.1:3000/mcp', ...clients });
 * console.log(recording.url);
 * await recording.stop();
 * ```
 */
export type HttpClientsAsServer = Partial<HttpClients>;

/**
 * Clients run a program, or are in this process.
 *
 * @example
 * ```ts
 * import { Client } from '@modelcontextprotocol/sdk/client/index.js';
 * import { type LocalClients, recordSession } from 'mcpreel';
 *
 * const clients: LocalClients = { listenTransport: 'stdio' };
 * const recording = await recordSession({ url: 'http://127.0.0.1:3000/mcp', ...clients });
 * const client = new Client({ name: 'example', version: '1.0.0' });
 * await client.connect(recording.transport);
 * await client.close();
 * await recording.stop();
 * ```
 */
export interface LocalClients {
  /** Optional if the server is a command. */
  readonly listenTransport: 'stdio';
}

/**
 * Options for a recording whose clients run a program or are in this process.
 *
 * @example
 * ```ts
 * import { type LocalRecordingOptions, recordSession } from 'mcpreel';
 *
 * const options: LocalRecordingOptions = { command: 'node server.js', file: 'stdio.json', env: { LOG: 'debug' } };
 * const recording = await recordSession(options);
 * await recording.stop();
 * ```
 */
export type LocalRecordingOptions = RecordingOptions &
  ((CommandTarget & Partial<LocalClients>) | (UrlTarget & LocalClients));

/**
 * Options for a recording whose clients connect over HTTP.
 *
 * @example
 * ```ts
 * import { type HttpRecordingOptions, recordSession } from 'mcpreel';
 *
 * const options: HttpRecordingOptions = { url: 'http://127.0.0.1:3000/mcp', file: 'http.json', label: 'shop' };
 * const recording = await recordSession(options);
 * await recording.stop();
 * ```
 */
export type HttpRecordingOptions = RecordingOptions &
  ((CommandTarget & HttpClients) | (UrlTarget & HttpClientsAsServer));

/** Determines how clients connect. */
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

/** Returns options for a listener that only this machine can reach. */
export function httpListen(transport: HttpTransport, port = 0): ListenOptions {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw usage(`listenPort ${port} is not a port`, 'Pass a number up to 65535, or 0 for a free port.');
  }
  return { transport, host: '127.0.0.1', port };
}

export function redactionFrom(options: RecordingOptions): RedactionRules {
  const { redact = 'secrets', redactKeys = [], redactValues = [], redactPaths = [] } = options;
  assertKnown('redact', redact, REDACT_MODES);
  return { mode: redact, keys: redactKeys, values: redactValues, paths: redactPaths };
}
