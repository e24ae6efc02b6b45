import type { IncomingMessage } from 'node:http';
import type { HeaderPair } from '../../transport/http/http-target.ts';
import { withoutTokenHeader } from '../../transport/http/listener-guard.ts';
import type { RequestHead } from './exchange-tap.ts';
import { endToEnd, hasBody, headerOf } from './http-headers.ts';

const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** What a client asks for at this path, without what was meant for us. */
export function requestHead({ method = 'GET', rawHeaders }: IncomingMessage, path: string): RequestHead {
  return { method, path: originForm(path), headers: withoutTokenHeader(rawHeaders) };
}

/** A client that takes us for a forward proxy names the whole address; what is asked for is the path all the same. */
function originForm(path: string): string {
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/is.exec(path) ?? [];
  if (rest === undefined) return path;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** What is different about the headers that the target gets. */
export interface SentHeadersOptions {
  /** The target's own host, if it is to be told that one. */
  readonly host: string | undefined;
  /** Sent in place of the client's own of the same names. */
  readonly added: readonly HeaderPair[];
}

/** Makes the headers that the target gets. */
export class SentHeaders {
  readonly #options: SentHeadersOptions;
  readonly #added: ReadonlySet<string>;

  constructor(options: SentHeadersOptions) {
    this.#options = options;
    this.#added = new Set(options.added.map(([name]) => name.toLowerCase()));
  }

  /** @param wantsPlain Whether the answer has to come without encoding. */
  of({ method, headers }: RequestHead, targetHost: string, wantsPlain: boolean): string[] {
    const { host, added } = this.#options;
    const sent = endToEnd(headers, (name, value) => {
      if (this.#added.has(name) || (wantsPlain && name === 'accept-encoding')) return undefined;
      return name === 'host' ? (host ?? value) : value;
    });
    // A client of HTTP/1.0 need not name it; a request of HTTP/1.1 has to.
    const hasHost = this.#added.has('host') || headerOf(headers, 'host') !== undefined;
    if (!hasHost) sent.unshift('Host', targetHost);
    for (const [name, value] of added) sent.push(name, value);
    // Node would announce a body that there is not.
    if (!BODILESS.has(method) && !hasBody(headers)) sent.push('Content-Length', '0');
    return sent;
  }
}
