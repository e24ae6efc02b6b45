import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { isLoopback } from './loopback.ts';

export type HeaderPair = readonly [name: string, value: string];

export interface HttpTargetOptions {
  readonly url: URL;
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string | undefined;
  /** Whether to accept any certificate. */
  readonly insecure?: boolean | undefined;
  /** How long connecting may take. Responses have no time limit. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long an unused connection is kept open. */
  readonly idleMs?: number | undefined;
  /** Called with each error of a request, which its sender has to handle. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** One request as sent to the target. */
export interface HttpTargetRequest {
  readonly method: string;
  readonly path: string;
  /** Names and values alternate, in the order and case in which they are sent. */
  readonly headers: readonly string[];
}

/** The header limit of mcpreel's servers and clients. Node's default is 16 KiB, which large tokens exceed. */
export const MAX_HEADER_BYTES: number = 256 << 10;

const DEFAULT_CONNECT_TIMEOUT_MS = 30_000;

/** Many servers close connections that are idle for 5 seconds. A request sent at that moment would be lost. */
const DEFAULT_IDLE_MS = 4000;

/** Sends requests to the target server: holds its address, its connection pool and its TLS settings. */
export class HttpTarget {
  readonly url: URL;
  readonly #agent: HttpAgent;
  readonly #request: typeof httpRequest;
  readonly #options: HttpTargetOptions;
  #own: { readonly port: number; readonly address: string } | undefined;

  constructor(options: HttpTargetOptions) {
    const { url, ca, insecure = false, idleMs = DEFAULT_IDLE_MS } = options;
    const isSecure = url.protocol === 'https:';
    // There is no limit on connections. The timeout applies to unused ones.
    const keeping = { keepAlive: true, maxFreeSockets: 256, timeout: idleMs };
    this.url = url;
    this.#options = options;
    this.#request = isSecure ? httpsRequest : httpRequest;
    this.#agent = isSecure
      ? new HttpsAgent({ ...keeping, ...(ca !== undefined && { ca }), rejectUnauthorized: !insecure })
      : new HttpAgent(keeping);
    // There is only one target, so the pool key need not be computed for every request.
    Object.assign(this.#agent, { getName: () => url.host });
  }

  /** Refuses connections to mcpreel's own listener, which would loop forever. Without an address, it listens on all. */
  refuseOwnPort(port: number, address = '::'): void {
    this.#own = { port, address };
  }

  /** Starts a request. Redirects are not followed, and only framing headers are added. */
  request({ method, path, headers }: HttpTargetRequest): ClientRequest {
    const { protocol, hostname, port } = this.url;
    const request = this.#request({
      agent: this.#agent,
      protocol,
      // Node expects an IPv6 address with brackets in a URL, and without them here.
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      method,
      path,
      headers: headers as string[],
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    // The header size is limited. By default, Node also limits their number, and drops the rest silently.
    request.maxHeadersCount = 0;
    request.on('socket', (socket: Socket) => this.#watchConnecting(request, socket));
    if (this.#options.onError !== undefined) request.on('error', this.#options.onError);
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
    // For HTTPS, the timeout includes the TLS handshake: a server may accept the connection and then stay silent.
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

/** Turns an IPv4-mapped IPv6 address into plain IPv4. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** No connection was established within the time limit. */
class ConnectTimeout extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`no connection within ${limitMs / 1000} s`);
  }
}

/** The target's address is mcpreel's own listener. */
class OwnAddress extends Error {
  readonly code = 'EOWNADDRESS';

  constructor() {
    super('that is mcpreel itself');
  }
}
