import { isAscii } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import type { Direction } from '../../model/entry.ts';
import { type SseItem, SseStream } from '../../protocol/sse/sse-stream.ts';
import { type ContentDecoder, decoderFor } from '../../proxy/http/content-decoder.ts';
import type { UnfinishedWork } from '../../proxy/http/idle-queue.ts';
import type { LongLine } from '../../transport/bounded-lines.ts';
import { BoundedBody } from './bounded-body.ts';

/** Decodes the copy of an HTTP body and splits it into messages or events. */
export interface BodyCopy {
  push(chunk: Uint8Array, atMs: number): UnfinishedWork | undefined;
  /** The body has ended. `isWhole` is false if it was cut off. */
  end(isWhole: boolean, atMs: number): UnfinishedWork | undefined;
}

/** Receives the contents of an exchange's bodies. */
export interface BodyReader {
  /** A complete body that is not an event stream, or its size and hash if it is too long. */
  takeWhole(body: Uint8Array | LongLine, direction: Direction): void;
  /** One event of an event stream. */
  takeEvent(item: SseItem, atMs: number): void;
  /** Part of the body is missing. Nothing more is reported of it. */
  takeProblem(direction: Direction, reason: string): void;
}

export interface BodyCopyOptions {
  readonly reader: BodyReader;
  readonly direction: Direction;
  readonly isEventStream: boolean;
  /** The body's `Content-Encoding`. */
  readonly encoding: string | undefined;
  readonly limit: number;
}

/** Creates the copy of a body for a reader. */
export function copyBody(options: BodyCopyOptions): BodyCopy {
  const plain = options.isEventStream ? new EventStreamCopy(options) : new WholeCopy(options);
  return options.encoding === undefined ? plain : new DecodedCopy(options, plain);
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

  push(chunk: Uint8Array): undefined {
    this.#body.push(chunk);
  }

  end(): undefined {
    this.#reader.takeWhole(this.#body.end(), this.#direction);
  }
}

class EventStreamCopy implements BodyCopy {
  readonly #reader: BodyReader;
  readonly #stream: SseStream;
  /** Created for the first chunk that needs it, because most chunks are ASCII. */
  #decoder: StringDecoder | undefined;
  #lastMs = 0;

  constructor({ reader, limit }: BodyCopyOptions) {
    this.#reader = reader;
    this.#stream = new SseStream(limit);
  }

  push(chunk: Uint8Array, atMs: number): undefined {
    this.#lastMs = atMs;
    this.#take(this.#stream.push(this.#textOf(chunk)));
  }

  end(_isWhole: boolean, atMs: number): undefined {
    this.#lastMs = atMs;
    if (this.#decoder !== undefined) this.#take(this.#stream.push(this.#decoder.end()));
    this.#take(this.#stream.end());
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

/**
 * The same for an encoded body. Decoding takes time, so `push` and `end` return unfinished work, and what is decoded of a
 * chunk is reported before that is done.
 */
class DecodedCopy implements BodyCopy {
  readonly #options: BodyCopyOptions;
  readonly #plain: BodyCopy;
  readonly #decoder: ContentDecoder | 'unknown' | undefined;
  #atMs = 0;
  #isEmpty = true;
  #hasEnded = false;
  #onDone: (() => void) | undefined;

  constructor(options: BodyCopyOptions, plain: BodyCopy) {
    const { encoding, limit, isEventStream: isStream } = options;
    this.#options = options;
    this.#plain = plain;
    this.#decoder = decoderFor(encoding, {
      limit,
      isStream,
      onChunk: (chunk) => void plain.push(chunk, this.#atMs),
      onEnd: (problem) => this.#end(problem),
    });
  }

  push(chunk: Uint8Array, atMs: number): UnfinishedWork | undefined {
    this.#isEmpty &&= chunk.length === 0;
    this.#atMs = atMs;
    if (this.#decoder === undefined) return this.#plain.push(chunk, atMs);
    if (this.#decoder === 'unknown' || this.#hasEnded) return undefined;
    let isDecoded = false;
    this.#decoder.push(chunk, () => {
      isDecoded = true;
      this.#finish();
    });
    return isDecoded ? undefined : this.#unfinished();
  }

  end(isWhole: boolean, atMs: number): UnfinishedWork | undefined {
    if (this.#hasEnded) return undefined;
    this.#atMs = atMs;
    if (this.#decoder === 'unknown') {
      this.#end(this.#isEmpty ? undefined : `the encoding ${this.#options.encoding} is not known`);
    } else if (this.#decoder === undefined) return this.#plain.end(isWhole, atMs);
    else if (isWhole) {
      this.#decoder.end();
      if (!this.#hasEnded) return this.#unfinished();
    } else {
      // What arrived is decoded, and the end of the encoding is missing like the rest of the body.
      this.#decoder.stop();
      this.#end(undefined);
    }
    return undefined;
  }

  #unfinished(): UnfinishedWork {
    return {
      onDone: (done) => {
        this.#onDone = done;
      },
      giveUp: (reason) => {
        this.#onDone = undefined;
        if (typeof this.#decoder === 'object') this.#decoder.stop();
        this.#end(reason);
      },
    };
  }

  #end(problem: string | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (problem === undefined) this.#plain.end(true, this.#atMs);
    else this.#options.reader.takeProblem(this.#options.direction, problem);
    this.#finish();
  }

  #finish(): void {
    const done = this.#onDone;
    this.#onDone = undefined;
    done?.();
  }
}
