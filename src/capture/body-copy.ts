import { type SseItem, SseStream } from '../protocol/sse-stream.ts';
import { BoundedBody } from '../proxy/bounded-body.ts';
import { decoderFor } from '../proxy/content-decoder.ts';
import type { LongLine } from '../transport/bounded-lines.ts';

/** The copy of one body, decoded and cut into what it consists of. */
export interface BodyCopy {
  push(chunk: Uint8Array, atMs: number): void;
  /** The body is over, or broke off. */
  end(): void;
}

export interface BodyCopyOptions {
  /** The body's `Content-Encoding`. */
  readonly encoding: string | undefined;
  readonly limit: number;
  /** Told once, when nothing more comes, with why something is missing if it is. */
  readonly onEnd: (problem: string | undefined) => void;
}

/** A body that says one thing. `take` is given all of it, or how much it was. */
export function wholeBody(options: BodyCopyOptions, take: (body: Uint8Array | LongLine) => void): BodyCopy {
  const body = new BoundedBody(options.limit);
  return decoding(options, options.limit, {
    chunk: (chunk) => body.push(chunk),
    end: () => take(body.end()),
  });
}

/** A body that is an event stream. `take` is given each event with the time at which it was read. */
export function eventStream(options: BodyCopyOptions, take: (item: SseItem, atMs: number) => void): BodyCopy {
  const stream = new SseStream(options.limit);
  const decoder = new TextDecoder();
  const show = (items: readonly SseItem[], atMs: number): void => {
    for (const item of items) take(item, atMs);
  };
  let lastMs = 0;
  return decoding(options, Number.POSITIVE_INFINITY, {
    chunk: (chunk, atMs) => {
      lastMs = atMs;
      show(stream.push(decoder.decode(chunk, { stream: true })), atMs);
    },
    end: () => show([...stream.push(decoder.decode()), ...stream.end()], lastMs),
  });
}

interface Content {
  chunk(chunk: Uint8Array, atMs: number): void;
  end(): void;
}

function decoding({ encoding, onEnd }: BodyCopyOptions, limit: number, content: Content): BodyCopy {
  let atMs = 0;
  const finish = (problem: string | undefined): void => {
    if (problem === undefined) content.end();
    onEnd(problem);
  };
  const decoder = decoderFor(encoding, { limit, onChunk: (chunk) => content.chunk(chunk, atMs), onEnd: finish });
  if (decoder === undefined) {
    return { push: (chunk, readAtMs) => content.chunk(chunk, readAtMs), end: () => finish(undefined) };
  }
  if (decoder === 'unknown') {
    return { push: () => undefined, end: () => finish(`the encoding ${encoding} is not known`) };
  }
  return {
    push(chunk, readAtMs) {
      atMs = readAtMs;
      decoder.push(chunk);
    },
    end: () => decoder.end(),
  };
}
