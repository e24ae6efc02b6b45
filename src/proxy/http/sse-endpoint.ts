import type { BodyRewriter } from './carried-body.ts';

/** The maximum size of an endpoint event. */
const MAX_BYTES = 16 << 10;

/** Two consecutive line ends, of which the second ends an event. */
const EVENT_END = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)/g;

/** The start of a line. The first line may start with a byte order mark. */
const LINE_START = String.raw`(?:^(?:\xef\xbb\xbf)?|[\r\n])`;
const IS_ENDPOINT = new RegExp(String.raw`${LINE_START}event: ?endpoint[\r\n]`);
const ADDRESS = new RegExp(String.raw`(${LINE_START}data: ?)(https?://[^\r\n]*)`, 'i');
const SAYS_ANYTHING = new RegExp(String.raw`${LINE_START}(?:data|event)\b`);

const NOTHING = new Uint8Array();

/**
 * Rewrites the endpoint event of an HTTP+SSE stream if it contains the target's absolute URL. Clients refuse to post to
 * an origin other than the one that they know. Relative URLs, and all later events, are forwarded unchanged.
 */
export class EndpointRewriter implements BodyRewriter {
  readonly #target: string;
  readonly #own: string;
  /** One character per byte (latin1). */
  #held: string | undefined = '';

  constructor(target: string, own: string) {
    this.#target = target;
    this.#own = own;
  }

  push(chunk: Uint8Array): Uint8Array {
    if (this.#held === undefined) return chunk;
    this.#held += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
    const end = firstEventEnd(this.#held);
    return end < 0 && this.#held.length < MAX_BYTES ? NOTHING : this.#release(Math.max(end, 0));
  }

  end(): Uint8Array {
    return this.#held === undefined ? NOTHING : this.#release(0);
  }

  #release(eventEnd: number): Uint8Array {
    const held = this.#held ?? '';
    this.#held = undefined;
    return Buffer.from(this.#rewritten(held.slice(0, eventEnd)) + held.slice(eventEnd), 'latin1');
  }

  #rewritten(event: string): string {
    if (!IS_ENDPOINT.test(event)) return event;
    return event.replace(ADDRESS, (all, field: string, url: string) => {
      const isTargets = URL.canParse(url) && new URL(url).origin === this.#target;
      return isTargets ? field + url.replace(/^https?:\/\/[^/?#]*/i, this.#own) : all;
    });
  }
}

/** The end of the first event that has a `data` or `event` field. */
function firstEventEnd(text: string): number {
  let start = 0;
  for (const { index, 0: blank } of text.matchAll(EVENT_END)) {
    const end = index + blank.length;
    if (SAYS_ANYTHING.test(text.slice(start, end))) return end;
    start = end;
  }
  return -1;
}
