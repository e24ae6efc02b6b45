import { redirectOf } from '../../transport/http/redirect.ts';
import type { BodyRewriter } from './carried-body.ts';
import type { RequestHead, ResponseHead } from './exchange-tap.ts';
import { headerOf, isEventStream, isPlain, type RawHeaders } from './http-headers.ts';
import { isResourceMetadataPath, rewriteChallenge, rewriteResourceMetadata } from './oauth-rewrite.ts';
import { EndpointRewriter } from './sse-endpoint.ts';

/** The headers and body rewriter of a forwarded response. */
export interface PassedResponse {
  readonly headers: RawHeaders;
  readonly body?: BodyRewriter | undefined;
  /** The origin that the response redirects the client to, if that is not the target. */
  readonly redirectsTo?: string | undefined;
}

/** Makes the few changes to responses without which a client could not work through mcpreel. */
export interface ResponseRewriter {
  /** Whether the response for this path must not be encoded. */
  wantsPlain(path: string): boolean;
  rewriteOf(request: RequestHead, response: ResponseHead): PassedResponse;
}

export interface ResponseRewriterOptions {
  readonly target: URL;
  /** Whether event streams may begin with an endpoint event. */
  readonly hasEndpoints: boolean;
  readonly keepsOauth: boolean;
}

export function responseRewriter({ target, hasEndpoints, keepsOauth }: ResponseRewriterOptions): ResponseRewriter {
  const wantsPlain = (path: string): boolean => !keepsOauth && isResourceMetadataPath(path);
  return {
    wantsPlain,
    rewriteOf(request, response) {
      const { status } = response;
      const redirect = redirectFor(request, response, target);
      if (redirect?.redirectsTo !== undefined) return redirect;
      const { headers } = redirect ?? response;
      if (hasEndpoints && request.method === 'GET' && isEventStream(headers) && isPlain(headers)) {
        return { headers, body: new EndpointRewriter(target.origin, ownOrigin(request)) };
      }
      if (keepsOauth) return { headers };
      const isJson = /json/i.test(headerOf(headers, 'content-type') ?? '');
      if (status === 200 && isJson && isPlain(headers) && wantsPlain(request.path)) {
        return { headers: withoutLength(headers), body: new MetadataRewriter(target.origin, ownOrigin(request)) };
      }
      const isChallenged = headerOf(headers, 'www-authenticate') !== undefined;
      return { headers: isChallenged ? withOwnChallenges(headers, target.origin, ownOrigin(request)) : headers };
    },
  };
}

/** A client that follows a redirect to the target's own address must come back to mcpreel. */
function redirectFor(request: RequestHead, { status, headers }: ResponseHead, target: URL): PassedResponse | undefined {
  const location = status >= 300 ? headerOf(headers, 'location') : undefined;
  if (location === undefined) return undefined;
  const address = redirectOf(status, location, `${target.origin}${request.path}`);
  if (address === undefined) return undefined;
  if (address.origin !== target.origin) return { headers, redirectsTo: address.origin };
  // A relative address leads to mcpreel by itself.
  if (redirectOf(status, location, NOWHERE)?.origin === NOWHERE) return undefined;
  const { pathname, search, hash } = address;
  const written = location.replace(/^(?:https?:)?\/\/[^/?#\\]*/i, ownOrigin(request));
  const own = written === location ? ownOrigin(request) + pathname + search + hash : written;
  return { headers: headers.map((text, at) => (isValueOf('location', headers, at) ? own : text)) };
}

/** An origin that no server has. */
const NOWHERE = 'http://nowhere.invalid';

/** mcpreel's origin, as the client addresses it. */
function ownOrigin({ headers }: RequestHead): string {
  return `http://${headerOf(headers, 'host') ?? 'localhost'}`;
}

function withoutLength(headers: RawHeaders): RawHeaders {
  return headers.filter((_, at) => headers[at - (at % 2)]?.toLowerCase() !== 'content-length');
}

function withOwnChallenges(headers: RawHeaders, target: string, own: string): RawHeaders {
  return headers.map((text, at) => {
    return isValueOf('www-authenticate', headers, at) ? rewriteChallenge(text, target, own) : text;
  });
}

/** Whether the text at this index is the value of a header with this name. */
function isValueOf(lowerName: string, headers: RawHeaders, at: number): boolean {
  return at % 2 === 1 && headers[at - 1]?.toLowerCase() === lowerName;
}

/** Larger bodies are not metadata, and are forwarded unchanged. */
const MAX_METADATA_BYTES = 1 << 20;

/** Rewrites metadata so that its resource is at mcpreel's origin. */
class MetadataRewriter implements BodyRewriter {
  readonly #target: string;
  readonly #own: string;
  #held: Uint8Array[] | undefined = [];
  #bytes = 0;

  constructor(target: string, own: string) {
    this.#target = target;
    this.#own = own;
  }

  push(chunk: Uint8Array): Uint8Array {
    if (this.#held === undefined) return chunk;
    this.#held.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_METADATA_BYTES) return NOTHING;
    const all = Buffer.concat(this.#held);
    this.#held = undefined;
    return all;
  }

  end(): Uint8Array {
    if (this.#held === undefined) return NOTHING;
    const bytes = Buffer.concat(this.#held);
    const rewritten = rewriteResourceMetadata(bytes.toString(), this.#target, this.#own);
    return rewritten === undefined ? bytes : Buffer.from(rewritten);
  }
}

const NOTHING = new Uint8Array();
