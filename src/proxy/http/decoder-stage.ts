import type { Transform } from 'node:stream';
import { TOO_LONG } from '../../model/gap-reasons.ts';

/** Creates the decompressor of a body, whose first bytes may decide about its kind. */
export type DecompressorFactory = (first: Uint8Array) => Transform;

export interface StageOutput {
  /** Takes decoded bytes, and calls back when it is ready for more. */
  readonly onChunk: (chunk: Uint8Array, onTaken: () => void) => void;
  readonly onEnd: () => void;
  readonly onError: (reason: string) => void;
}

/** One of the decompressors that a body passes. */
export class DecoderStage {
  readonly #create: DecompressorFactory;
  readonly #limit: number;
  readonly #output: StageOutput;
  #stream: Transform | undefined;
  #size = 0;
  /** How many chunks the decompressor has not consumed completely. */
  #unconsumed = 0;
  #isPassing = false;
  #isStopped = false;
  #onDecoded: (() => void)[] = [];

  constructor(create: DecompressorFactory, limit: number, output: StageOutput) {
    this.#create = create;
    this.#limit = limit;
    this.#output = output;
  }

  /** Calls back when everything in the chunks so far was passed on. */
  push(chunk: Uint8Array, onDecoded?: () => void): void {
    if (this.#isStopped || chunk.length === 0) {
      onDecoded?.();
      return;
    }
    if (onDecoded !== undefined) this.#onDecoded.push(onDecoded);
    this.#unconsumed++;
    this.#stream ??= this.#started(chunk);
    this.#stream.write(chunk, () => {
      this.#unconsumed--;
      this.#reportIfDecoded();
    });
  }

  end(): void {
    if (this.#isStopped) return;
    if (this.#stream === undefined) this.#output.onEnd();
    else this.#stream.end();
  }

  /** Forgets what was decoded so far, so that the limit applies to the rest. */
  resetSize(): void {
    this.#size = 0;
  }

  stop(): void {
    this.#isStopped = true;
    this.#stream?.destroy();
    this.#reportDecoded();
  }

  #started(first: Uint8Array): Transform {
    const stream = this.#create(first);
    stream.on('data', (chunk: Uint8Array) => this.#pass(chunk, stream));
    stream.once('end', () => {
      if (!this.#isStopped) this.#output.onEnd();
    });
    stream.on('error', ({ message }) => {
      if (!this.#isStopped) this.#output.onError(message);
    });
    return stream;
  }

  #pass(chunk: Uint8Array, stream: Transform): void {
    if (this.#isStopped) return;
    this.#size += chunk.length;
    if (this.#size > this.#limit) {
      this.#output.onError(TOO_LONG);
      return;
    }
    let isTaken = false;
    this.#isPassing = true;
    this.#output.onChunk(chunk, () => {
      isTaken = true;
      this.#isPassing = false;
      if (stream.isPaused()) stream.resume();
      this.#reportIfDecoded();
    });
    if (!isTaken) stream.pause();
  }

  #reportIfDecoded(): void {
    if (this.#unconsumed === 0 && !this.#isPassing && this.#stream?.readableLength === 0) this.#reportDecoded();
  }

  #reportDecoded(): void {
    const waiting = this.#onDecoded;
    if (waiting.length === 0) return;
    this.#onDecoded = [];
    for (const onDecoded of waiting) onDecoded();
  }
}
