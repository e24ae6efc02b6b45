import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { isLoopback } from './loopback.ts';

export type HeaderPair = readonly [name: string, value: string];

export interface HttpTargetOptions {
  readonly url: URL;
  /** Certificates to trust instead of the system's, as PEM. */
  readonly ca?: string | undefined;
  /** Whether any certificate will do. */
  readonly insecure?: boolean | undefined;
  /** How long it may take to get a connection. Answers may take as long as they like. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long a connection is kept that nobody uses. */
  readonly idleMs?: number | undefined;
}

/** One request as it goes over the wire. */
export interface HttpTargetRequest {
  readonly method: string;
  readonly path: string;
  /** Names and values in turn, in order and case as they are sent. */
  readonly headers: readonly string[];
}

/** Servers and clients of ours take headers of this size; Node's own limit is 16 KiB, which large tokens exceed. */
export const MAX_HEADER_BYTES: number = 256 << 10;

const DEFAULT_CONNECT_TIMEOUT_MS = 30_000;

/** Many servers close what is idle for 5 seconds, and a request that crosses the end of its connection is lost. */
const DEFAULT_IDLE_MS = 4000;

/** The server that requests are made to: its address, its connections, and how much its certificate is trusted. */
export class HttpTarget {
  readonly url: URL;
  readonly #agent: HttpAgent;
  readonly #request: typeof httpRequest;
  readonly #options: HttpTargetOptions;
  #own: { readonly port: number; readonly address: string } | undefined;

  constructor(options: HttpTargetOptions) {
    const { url, ca, insecure = false, idleMs = DEFAULT_IDLE_MS } = options;
    const isSecure = url.protocol === 'https:';
    // Nothing waits for a free connection. The time is for connections that nobody uses.
    const keeping = { keepAlive: true, maxFreeSockets: 256, timeout: idleMs };
    this.url = url;
    this.#options = options;
    this.#request = isSecure ? httpsRequest : httpRequest;
    this.#agent = isSecure
      ? new HttpsAgent({ ...keeping, ...(ca !== undefined && { ca }), rejectUnauthorized: !insecure })
      : new HttpAgent(keeping);
    // There is one target: what its connections are kept by need not be worked out for every request.
    Object.assign(this.#agent, { getName: () => url.host });
  }

  /** A request to our own listener would never end. Without an address it listens on all of them. */
  refuseOwnPort(port: number, address = '::'): void {
    this.#own = { port, address };
  }

  /** Begins a request. Redirects are not followed, and nothing is added but what frames the message. */
  request({ method, path, headers }: HttpTargetRequest): ClientRequest {
    const { protocol, hostname, port } = this.url;
    const request = this.#request({
      agent: this.#agent,
      protocol,
      // Node wants the address in brackets in a URL, and without them here.
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      method,
      path,
      headers: headers as string[],
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    // Their size is limited; Node would leave out those beyond a number without a word.
    request.maxHeadersCount = 0;
    request.on('socket', (socket: Socket) => this.#watchConnecting(request, socket));
    return request;
  }

  close(): void {
    this.#agent.destroy();
  }

  #watchConnecting(request: ClientRequest, socket: Socket): void {
    if (!socket.connecting) return;
    socket.setNoDelay(true);
    const limitMs = this.#options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS;
    const timer = setTimeout(() => request.destroy(new ConnectTimeout(limitMs)), limitMs);
    socket.once('close', () => clearTimeout(timer));
    // A server that takes the connection and then keeps silent is no better than one that does not.
    socket.once(this.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    socket.once('connect', () => {
      if (this.#isOurselves(socket)) request.destroy(new OwnAddress());
    });
  }

  #isOurselves({ remotePort, remoteAddress = '', localAddress = '' }: Socket): boolean {
    if (this.#own === undefined || remotePort !== this.#own.port) return false;
    const remote = unmapped(remoteAddress);
    const listensEverywhere = /^(?:0\.0\.0\.0|::)$/.test(this.#own.address);
    return listensEverywhere
      ? remote === unmapped(localAddress) || isLoopback(remote)
      : remote === unmapped(this.#own.address);
  }
}

/** An IPv4 address that is written as an IPv6 one, as it is. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** There was no connection in time. */
class ConnectTimeout extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`no connection within ${limitMs / 1000} s`);
  }
}

/** The address of the target turned out to be our own. */
class OwnAddress extends Error {
  readonly code = 'EOWNADDRESS';

  constructor() {
    super('that is mcpreel itself');
  }
}
