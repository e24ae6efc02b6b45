import { Readable, Writable } from 'node:stream';
import { type BridgeDeps, captureBridge } from '../capture/bridge/bridge-capture.ts';
import type { BridgeCaptureOptions, KeepingOptions } from '../capture/capture-options.ts';
import { captureHttp } from '../capture/http/http-capture.ts';
import { ReelError } from '../model/errors.ts';
import type { OpenInbound } from '../transport/inbound/open-inbound.ts';
import type { TargetChoice } from '../transport/outbound/connect-target.ts';
import type { ClientTransport } from './client-transport.ts';
import { inLibraryWords } from './in-library-words.ts';
import { type LocalEndpoint, openLocalEndpoint } from './local-endpoint.ts';
import {
  type HttpRecordingOptions,
  type LocalRecordingOptions,
  listenFrom,
  type RecordingOptions,
  redactionFrom,
} from './recording-options.ts';
import { placeFor, type RecordedPlace, type RecordingPlace } from './recording-place.ts';
import { type TargetOptions, targetFrom } from './target.ts';
import { startServer, thisProcess } from './this-process.ts';

/**
 * A session that is being recorded.
 *
 * @example
 * ```ts
 * import { recordSession, type Recording } from 'mcpreel';
 *
 * const recordings: Recording[] = [
 *   await recordSession({ command: ['node', 'server.js'] }),
 *   await recordSession({ url: 'http://127.0.0.1:3000/mcp' }),
 * ];
 * for (const recording of recordings) await recording.stop();
 * ```
 */
export interface Recording extends AsyncDisposable {
  /** Ends the session, and resolves when its recording is complete. Further calls return the same result. */
  stop(): Promise<RecordedPlace>;
}

/**
 * A recording whose clients run a program or are in this process. Each client has its own server.
 *
 * @example
 * ```ts
 * import { Client } from '@modelcontextprotocol/sdk/client/index.js';
 * import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
 * import { type LocalRecording, recordSession } from 'mcpreel';
 *
 * const recording: LocalRecording = await recordSession({ command: ['node', 'server.js'] });
 * const client = new Client({ name: 'example', version: '1.0.0' });
 * await client.connect(new StdioClientTransport(recording));
 * await client.close();
 * await recording.stop();
 * ```
 */
export interface LocalRecording extends Recording {
  /** The program that a client runs as its server, as in `new StdioClientTransport(recording)`. */
  readonly command: string;
  /** The arguments of that program. */
  readonly args: string[];
  /** The transport for the next client in this process: `client.connect(recording.transport)`. */
  readonly transport: ClientTransport;
}

/**
 * A recording whose clients connect over HTTP.
 *
 * @example
 * ```ts
 * import { type HttpRecording, recordSession } from 'mcpreel';
 *
 * const recording: HttpRecording = await recordSession({ url: 'http://127.0.0.1:3000/mcp' });
 * console.log(`Connect clients to ${recording.url}`);
 * await recording.stop();
 * ```
 */
export interface HttpRecording extends Recording {
  /** The URL that clients connect to. */
  readonly url: string;
}

/**
 * Proxies a server and records its traffic until `stop` is called. Secrets are redacted before anything is written to
 * disk.
 *
 * @example
 * ```ts
 * import { Client } from '@modelcontextprotocol/sdk/client/index.js';
 * import { recordSession } from 'mcpreel';
 *
 * const recording = await recordSession({ command: ['node', 'server.js'], file: 'recorded.json' });
 * const client = new Client({ name: 'example', version: '1.0.0' });
 * await client.connect(recording.transport);
 * await client.callTool({ name: 'stock', arguments: { item: 'pear' } });
 * await client.close();
 * const { file } = await recording.stop();
 * console.log(`Recorded to ${file}`);
 * ```
 */
export function recordSession(options: LocalRecordingOptions): Promise<LocalRecording>;
/**
 * Proxies a server for clients that connect over HTTP, and records the traffic until `stop` is called. Secrets are
 * redacted before anything is written to disk.
 *
 * @example
 * ```ts
 * import { Client } from '@modelcontextprotocol/sdk/client/index.js';
 * import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
 * import { recordSession } from 'mcpreel';
 *
 * const recording = await recordSession({ url: 'http://127.0.0.1:3000/mcp', file: 'recorded.json' });
 * const client = new Client({ name: 'example', version: '1.0.0' });
 * await client.connect(new StreamableHTTPClientTransport(new URL(recording.url)));
 * await client.close();
 * await recording.stop();
 * ```
 */
export function recordSession(options: HttpRecordingOptions): Promise<HttpRecording>;
export function recordSession(
  options: LocalRecordingOptions | HttpRecordingOptions,
): Promise<LocalRecording | HttpRecording> {
  return inLibraryWords(async () => {
    const target = targetFrom(options);
    const listen = listenFrom(options, target.transport);
    return begin({ target, listen }, options);
  });
}

type RecordedConnection = Pick<BridgeCaptureOptions, 'target' | 'listen'>;

async function begin(
  connection: RecordedConnection,
  options: RecordingOptions & TargetOptions,
): Promise<LocalRecording | HttpRecording> {
  const { label, metadata = {}, file } = options;
  const redaction = redactionFrom(options);
  const place = await placeFor(file);
  const { traceFile } = place;
  const keeping: KeepingOptions = { label, metadata, traceFile, redaction, mustRecord: true };
  const run = new RecordingRun(connection.target, place.stateFolder, options.onNote);
  let endpoint: LocalEndpoint | undefined;
  try {
    if (connection.listen.transport === 'stdio') endpoint = await openLocalEndpoint();
    const captured = capture({ ...keeping, ...connection }, run, endpoint);
    await run.begun(captured);
    return recordingOf(run, captured, place, endpoint);
  } catch (error) {
    await endpoint?.close();
    await place.abandon();
    throw error;
  }
}

function capture(
  options: BridgeCaptureOptions,
  run: RecordingRun,
  endpoint: LocalEndpoint | undefined,
): Promise<number> {
  const { target, listen } = options;
  if (target.transport !== 'stdio' && listen.transport === target.transport) {
    return captureHttp({ ...options, target, listen }, run.deps);
  }
  return captureBridge(
    options,
    run.deps,
    endpoint && (async () => endpointInbound(endpoint, () => run.onListening(''))),
  );
}

/** Builds the object that `recordSession` returns for a running capture. */
function recordingOf(
  run: RecordingRun,
  captured: Promise<number>,
  place: RecordingPlace,
  endpoint: LocalEndpoint | undefined,
): LocalRecording | HttpRecording {
  const end = async (): Promise<RecordedPlace> => {
    const tracePath = await run.end(captured).catch(async (error: unknown) => {
      await place.abandon();
      throw error;
    });
    return place.finish(tracePath);
  };
  let recorded: Promise<RecordedPlace> | undefined;
  const stop = (): Promise<RecordedPlace> => {
    recorded ??= end();
    return recorded;
  };
  const ending = { stop, [Symbol.asyncDispose]: () => stop().then(() => undefined) };
  if (endpoint === undefined) return { url: run.url, ...ending };
  return {
    command: endpoint.command,
    args: [...endpoint.args],
    get transport() {
      return endpoint.transport;
    },
    ...ending,
  };
}

/** The inbound side of a bridge for any number of clients on this machine. */
function endpointInbound(endpoint: LocalEndpoint, onBegun: () => void): OpenInbound {
  return {
    url: undefined,
    listener: undefined,
    isLone: false,
    begin(events) {
      endpoint.admit(events);
      onBegun();
    },
    leave: () => endpoint.leave(),
    close: () => endpoint.close(),
  };
}

/** A capture that runs in this process. */
class RecordingRun {
  readonly deps: BridgeDeps;
  url = '';
  #stop: () => void = () => undefined;
  #listening: () => void = () => undefined;
  readonly #hasBegun: Promise<void>;
  #tracePath = '';
  #lastNote = '';

  constructor(target: TargetChoice, stateFolder: string, onNote: RecordingOptions['onNote']) {
    this.#hasBegun = new Promise((resolve) => {
      this.#listening = resolve;
    });
    this.deps = {
      ...thisProcess,
      // The recording contains the servers' stderr output.
      ...nowhere(),
      stateFolder,
      startTarget: () => startServer(target),
      // The calling program handles its own signals.
      onSignal: () => () => undefined,
      stopped: new Promise((resolve) => {
        this.#stop = resolve;
      }),
      note: (line) => {
        this.#lastNote = line;
        onNote?.(line);
      },
      onRecording: (path) => {
        this.#tracePath = path;
      },
      onListening: (url) => this.onListening(url),
    };
  }

  onListening(url: string): void {
    this.url = url;
    this.#listening();
  }

  /** Resolves when clients can connect. Rejects if the capture fails first. */
  async begun(captured: Promise<number>): Promise<void> {
    await Promise.race([this.#hasBegun, captured]);
  }

  /** Ends the capture, and returns the path of its trace. */
  async end(captured: Promise<number>): Promise<string> {
    this.#stop();
    const status = await captured;
    if (status === 0) return this.#tracePath;
    throw new ReelError('file-unwritable', this.#lastNote.replace(/^Error: /, ''));
  }
}

function nowhere(): Pick<BridgeDeps, 'stdin' | 'closeStdin' | 'stdout' | 'stderr' | 'closeStdout'> {
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  return {
    stdin: new Readable({ read: () => undefined }),
    stdout: sink,
    stderr: sink,
    closeStdin: () => true,
    closeStdout: () => undefined,
  };
}
