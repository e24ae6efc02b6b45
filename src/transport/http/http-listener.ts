import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ReelError } from '../../model/errors.ts';
import { errorAnswer } from '../../protocol/answer-text.ts';
import { MAX_HEADER_BYTES } from './http-target.ts';
import { type GuardOptions, judgeRequest } from './listener-guard.ts';

/**
 * The HTTP transports of MCP.
 *
 * @example
 * ```ts
 * import { type HttpTransport, startMock } from 'mcpreel';
 *
 * const listenTransport: HttpTransport = 'sse';
 * const mock = await startMock('session.json', { listenTransport });
 * console.log(mock.url);
 * await mock.stop();
 * ```
 */
export type HttpTransport = 'sse' | 'streamable-http';

/** Where mcpreel listens for clients. */
export interface ListenOptions {
  readonly transport: HttpTransport;
  readonly host: string;
  readonly port: number;
  /** The token that every request must carry. Required if other machines can reach the listener. */
  readonly token?: string | undefined;
  /** How many conversations a bridge serves at once. The relay between equal transports has no such limit. */
  readonly maxConversations?: number | undefined;
  /** How many bytes of request bodies may wait to be forwarded, in all. */
  readonly maxWaitingBytes?: number | undefined;
}

export interface ListenerOptions extends GuardOptions {
  readonly port: number;
  /** Handles a request that passed the guard. `path` is the requested path without mcpreel's token. */
  readonly onRequest: (request: IncomingMessage, response: ServerResponse, path: string) => void;
  readonly patience?: Partial<ListenerPatience> | undefined;
  /** Called with each error of the listener. */
  readonly onError?: ((error: Error) => void) | undefined;
  /** Whether `onRequest` itself answers `Expect: 100-continue`. */
  readonly passesContinue?: boolean;
}

export interface HttpListener {
  readonly port: number;
  /** The IP address that the listener is bound to, also if a host name was given. */
  readonly address: string;
  /** For example `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Closes every connection. Resolves when the port is closed. */
  close(): Promise<void>;
}

/** Time limits for clients. Responses have no time limit. */
export interface ListenerPatience {
  /** Idle time between two requests. */
  readonly keepAliveMs: number;
  /** For the headers of a request. */
  readonly headersMs: number;
  /** For the whole request. */
  readonly requestMs: number;
  /** How often Node checks for expired time limits. */
  readonly checkEveryMs: number;
}

const PATIENCE: ListenerPatience = {
  keepAliveMs: 75_000,
  headersMs: 60_000,
  requestMs: 300_000,
  checkEveryMs: 30_000,
};

/** Opens an HTTP listener for requests from this machine, or with the token. Idle streams are never closed. */
export async function openListener(options: ListenerOptions): Promise<HttpListener> {
  const { host, port, onRequest, passesContinue = false } = options;
  const patience = { ...PATIENCE, ...options.patience };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    // `close` reports a broken connection; an error without a listener would end the process.
    request.on('error', ignore);
    response.on('error', ignore);
    const verdict = judgeRequest(request, options);
    if ('path' in verdict) onRequest(request, response, verdict.path);
    else refuse(response, verdict.refusal);
  };
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: patience.keepAliveMs,
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      connectionsCheckingInterval: patience.checkEveryMs,
    },
    handle,
  );
  // The header size is limited. By default, Node also limits their number, and drops the rest silently.
  server.maxHeadersCount = 0;
  if (passesContinue) {
    server.on('checkContinue', handle);
    server.on('checkExpectation', handle);
  }
  await new Promise<void>((resolve, reject) => {
    // Listens for every error, not only the first: an error without a listener would end the process.
    server.on('error', (error) => {
      options.onError?.(error);
      reject(cannotListen(error, host, port));
    });
    server.listen({ host, port, exclusive: true }, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    address: address.address,
    origin: `http://${authority(host, address.port)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function ignore(): void {
  // Handled elsewhere.
}

/** Does not read the request's body, which may be long and is not needed. */
function refuse(response: ServerResponse, why: string): void {
  const body = errorAnswer('null', why);
  response.writeHead(403, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.end(body);
}

/** Host and port as written in a URL. */
function authority(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): ReelError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'the port is in use',
    EACCES: 'not permitted',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'there is no such host',
  };
  const why = reasons[error.code ?? ''] ?? error.message;
  return new ReelError('cannot-listen', `Cannot listen on ${authority(host, port)}: ${why}`, {
    hint: /^EADDRNOTAVAIL$|^ENOTFOUND$/.test(error.code ?? '')
      ? 'Choose another with --listen-host.'
      : 'Use --listen-port 0 for any free port.',
    cause: error,
  });
}
