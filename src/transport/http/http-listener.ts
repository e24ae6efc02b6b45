import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ReelError } from '../../model/errors.ts';
import { errorAnswer } from '../../protocol/answer-text.ts';
import { MAX_HEADER_BYTES } from './http-target.ts';
import { type GuardOptions, judgeRequest } from './listener-guard.ts';

export interface ListenerOptions extends GuardOptions {
  readonly port: number;
  /** Takes a request that may be answered; `path` is what it asks for, without our own token. */
  readonly onRequest: (request: IncomingMessage, response: ServerResponse, path: string) => void;
  readonly patience?: Partial<ListenerPatience> | undefined;
  /** Whether it is for `onRequest` to tell clients that wait for it to go on. */
  readonly passesContinue?: boolean;
}

export interface HttpListener {
  readonly port: number;
  /** The address that is listened on, whatever name was given for it. */
  readonly address: string;
  /** `http://127.0.0.1:8080` */
  readonly origin: string;
  /** Ends every connection; resolves when nobody can connect any more. */
  close(): Promise<void>;
}

/** How long clients may take. An answer may take as long as it likes. */
export interface ListenerPatience {
  /** Between two requests. */
  readonly keepAliveMs: number;
  /** For the head of a request. */
  readonly headersMs: number;
  /** For the whole of it. */
  readonly requestMs: number;
  /** How often it is looked whether somebody took too long. */
  readonly checkEveryMs: number;
}

const PATIENCE: ListenerPatience = {
  keepAliveMs: 75_000,
  headersMs: 60_000,
  requestMs: 300_000,
  checkEveryMs: 30_000,
};

/** Listens for requests that come from this machine, or bring the token. What streams is never cut for being idle. */
export async function openListener(options: ListenerOptions): Promise<HttpListener> {
  const { host, port, onRequest, passesContinue = false } = options;
  const patience = { ...PATIENCE, ...options.patience };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    // A connection that breaks is told by `close`; an error that nobody hears would end the process.
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
  // Their size is limited; Node would leave out those beyond a number without a word.
  server.maxHeadersCount = 0;
  if (passesContinue) {
    server.on('checkContinue', handle);
    server.on('checkExpectation', handle);
  }
  await new Promise<void>((resolve, reject) => {
    // On every error, not the first alone: one that nobody hears later would end the process.
    server.on('error', (error) => reject(cannotListen(error, host, port)));
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
  // Told elsewhere.
}

/** What was asked for is not read: it may be long, and nobody will look at it. */
function refuse(response: ServerResponse, why: string): void {
  const body = errorAnswer('null', why);
  response.writeHead(403, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.end(body);
}

/** Host and port as they stand in a URL. */
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
      : 'Choose another with --listen-port, 0 for any that is free.',
    cause: error,
  });
}
