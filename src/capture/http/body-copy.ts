import { isAscii } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import type { Direction } from '../../model/entry.ts';
import { type SseItem, SseStream } from '../../protocol/sse/sse-stream.ts';
import { decoderFor } from '../../proxy/http/content-decoder.ts';
import type { LongLine } from '../../transport/bounded-lines.ts';
import { BoundedBody } from './bounded-body.ts';

/** Decodes the copy of an HTTP body and splits it into messages or events. */
export interface BodyCopy {
  push(chunk: Uint8Array, atMs: number): void;
  /** The body has ended or broken off. */
  end(): void;
}

/** Receives the contents of an exchange's bodies. */
export interface BodyReader {
  /** A complete body that is not an event stream, or its size and hash if it is too long. */
  takeWhole(body: Uint8Array | LongLine, direction: Direction): void;
  /** One event of an event stream. */
  takeEvent(item: SseItem, atMs: number): void;
  /** Called once at the end of the body, with the reason if part of it is missing. */
  bodyEnded(direction: Direction, problem: string | undefined): void;
}

export interface BodyCopyOptions {
  readonly reader: BodyReader;
  readonly direction: Direction;
  readonly isEventStream: boolean;
  /** The body's `Content-Encoding`. */
  readonly encoding: string | undefined;
  readonly limit: number;
  /** Queues the processing of decoded data, which arrives asynchronously. */
  readonly later: (work: () => void) => void;
}

/** Creates the copy of a body for a reader. */
export function copyBody(options: BodyCopyOptions): BodyCopy {
  const plain = options.isEventStream ? new EventStreamCopy(options) : new WholeCopy(options);
  return options.encoding === undefined ? plain : decoding(options, plain);
}

class WholeCopy implements BodyCopy {
  readonly #reader: BodyReader;
  readonly #direction: Direction;
  readonly #body: BoundedBody;

  constructor({ reader, direction, limit }: BodyCopyOptions) {
    this.#reader = reader;
    this.#direction = direction;
    this.#body = new BoundedBody(limit);
  }

  push(chunk: Uint8Array): void {
    this.#body.push(chunk);
  }

  end(): void {
    this.#reader.takeWhole(this.#body.end(), this.#direction);
    this.#reader.bodyEnded(this.#direction, undefined);
  }
}

class EventStreamCopy implements BodyCopy {
  readonly #reader: BodyReader;
  readonly #direction: Direction;
  readonly #stream: SseStream;
  /** Created for the first chunk that needs it, because most chunks are ASCII. */
  #decoder: StringDecoder | undefined;
  #lastMs = 0;

  constructor({ reader, direction, limit }: BodyCopyOptions) {
    this.#reader = reader;
    this.#direction = direction;
    this.#stream = new SseStream(limit);
  }

  push(chunk: Uint8Array, atMs: number): void {
    this.#lastMs = atMs;
    this.#take(this.#stream.push(this.#textOf(chunk)));
  }

  end(): void {
    if (this.#decoder !== undefined) this.#take(this.#stream.push(this.#decoder.end()));
    this.#take(this.#stream.end());
    this.#reader.bodyEnded(this.#direction, undefined);
  }

  #textOf(chunk: Uint8Array): string {
    if (this.#decoder === undefined && isAscii(chunk)) {
      return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
    }
    this.#decoder ??= new StringDecoder('utf8');
    return this.#decoder.write(chunk);
  }

  #take(items: readonly SseItem[]): void {
    for (const item of items) this.#reader.takeEvent(item, this.#lastMs);
  }
}

/** The same for an encoded body. */
function decoding(options: BodyCopyOptions, plain: BodyCopy): BodyCopy {
  const { reader, direction, isEventStream, encoding, limit, later } = options;
  let atMs = 0;
  const decoder = decoderFor(encoding, {
    limit: isEventStream ? Number.POSITIVE_INFINITY : limit,
    onChunk: (chunk) => later(() => plain.push(chunk, atMs)),
    onEnd: (problem) => later(() => (problem === undefined ? plain.end() : reader.bodyEnded(direction, problem))),
  });
  if (decoder === undefined) return plain;
  if (decoder === 'unknown') {
    const problem = `the encoding ${encoding} is not known`;
    return { push: () => undefined, end: () => reader.bodyEnded(direction, problem) };
  }
  return {
    push(chunk, readAtMs) {
      atMs = readAtMs;
      decoder.push(chunk);
    },
    end: () => decoder.end(),
  };
}
