import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { fetchSite } from '../../protocol/fetch-site.ts';
import type { HeaderPair } from '../../transport/http/http-target.ts';
import { withoutTokenHeader } from '../../transport/http/listener-guard.ts';
import type { RequestHead } from './exchange-tap.ts';
import { endToEnd, hasBody, headerOf } from './http-headers.ts';

const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** The head of a client's request, without mcpreel's token. */
export function requestHead({ method = 'GET', rawHeaders, socket }: IncomingMessage, path: string): RequestHead {
  return {
    method,
    path: originForm(path),
    headers: withoutTokenHeader(rawHeaders),
    connection: connectionOf(socket),
  };
}

const connections = new WeakMap<Socket, number>();
const open = new Set<number>();
let lastConnection = 0;

/** Returns whether the connection with this number is still open. */
export function isConnectionOpen(connection: number): boolean {
  return open.has(connection);
}

/** A number, because a recorded head must not keep its socket alive. */
function connectionOf(socket: Socket): number {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  lastConnection++;
  const connection = lastConnection;
  connections.set(socket, connection);
  if (!socket.destroyed) {
    open.add(connection);
    socket.once('close', () => open.delete(connection));
  }
  return connection;
}

/** A client that uses mcpreel as a forward proxy sends an absolute URL. Only its path is forwarded. */
function originForm(path: string): string {
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/is.exec(path) ?? [];
  if (rest === undefined) return path;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The changes to the headers that the target receives. */
export interface SentHeadersOptions {
  /** The target's host, if it replaces the client's `Host` header. */
  readonly host: string | undefined;
  /** Sent in place of the client's headers of the same names. */
  readonly added: readonly HeaderPair[];
}

/** Builds the headers that the target receives. */
export class SentHeaders {
  readonly #options: SentHeadersOptions;
  readonly #added: ReadonlySet<string>;

  constructor(options: SentHeadersOptions) {
    this.#options = options;
    this.#added = new Set(options.added.map(([name]) => name.toLowerCase()));
  }

  /** @param wantsPlain Whether the response must not be encoded. */
  of({ method, headers }: RequestHead, targetHost: string, wantsPlain: boolean): string[] {
    const { host } = this.#options;
    const { added, names } = this.#addedTo(headers);
    const sent = endToEnd(headers, (name, value) => {
      if (names.has(name) || (wantsPlain && name === 'accept-encoding')) return undefined;
      return name === 'host' ? (host ?? value) : value;
    });
    // HTTP/1.0 clients may omit it, but an HTTP/1.1 request requires it.
    const hasHost = names.has('host') || headerOf(headers, 'host') !== undefined;
    if (!hasHost) sent.unshift('Host', targetHost);
    for (const [name, value] of added) sent.push(name, value);
    // Without it, Node would announce a chunked body.
    if (!BODILESS.has(method) && !hasBody(headers)) sent.push('Content-Length', '0');
    return sent;
  }

  /** A page elsewhere that leads a browser here must not act with the user's credentials. */
  #addedTo(headers: RequestHead['headers']): {
    readonly added: SentHeadersOptions['added'];
    readonly names: ReadonlySet<string>;
  } {
    const { added } = this.#options;
    const isLink = added.length > 0 && fetchSite((name) => headerOf(headers, name)) === 'followed-link';
    return isLink ? { added: [], names: new Set() } : { added, names: this.#added };
  }
}
