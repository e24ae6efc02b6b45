import type { Readable } from 'node:stream';
import type { Interceptor } from '../../intercept/interceptor.ts';
import { TOO_LONG } from '../../model/gap-reasons.ts';
import { type ContentDecoder, decoderFor } from '../http/content-decoder.ts';

export interface GatheringOptions {
  readonly interceptor: Interceptor;
  /** Longer bodies cannot be held. */
  readonly limit: number;
  /** The body's `Content-Encoding`. */
  readonly encoding: string | undefined;
  /** Whether the receiver could act on the body whatever it begins with. */
  readonly isStrict: boolean;
}

/** A body that was kept back until its kind was known. */
export interface GatheredBody {
  /** The chunks as received. */
  readonly chunks: readonly Uint8Array[];
  /** Whether the body is complete. If not, reading is paused, or the body was cut off. */
  readonly isWhole: boolean;
  /** The decoded bytes, if they may contain messages. */
  readonly content: Uint8Array | undefined;
  /** Why the body cannot be read, if the receiver could act on it. */
  readonly unread?: string | undefined;
}

/** Buffers a body until it is complete, or until it is known to contain no messages to hold. */
export function gatherBody(from: Readable, options: GatheringOptions, onGathered: (body: GatheredBody) => void): void {
  new BodyGathering(from, options, onGathered).begin();
}

class BodyGathering {
  readonly #from: Readable;
  readonly #options: GatheringOptions;
  readonly #onGathered: (body: GatheredBody) => void;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #hasEnded = false;
  #isOver = false;
  #leaveInterceptor: () => void = () => undefined;

  constructor(from: Readable, options: GatheringOptions, onGathered: (body: GatheredBody) => void) {
    this.#from = from;
    this.#options = options;
    this.#onGathered = onGathered;
  }

  begin(): void {
    this.#leaveInterceptor = this.#options.interceptor.addGate(() => this.#finish({}));
    this.#from.on('data', this.#take);
    this.#from.once('end', this.#end);
    this.#from.once('error', this.#giveUp);
    this.#from.once('close', this.#giveUp);
  }

  readonly #take = (chunk: Uint8Array): void => {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > this.#options.limit) this.#finish({ unread: TOO_LONG });
    else if (!this.#mayBeMessages()) this.#finish({});
  };

  readonly #end = (): void => {
    this.#hasEnded = true;
    const parts: Uint8Array[] = [];
    const finish = (): void => this.#finish({ content: Buffer.concat(parts) });
    const decoder = this.#decoder((chunk) => parts.push(chunk), finish);
    if (decoder === 'unknown') this.#finish({ unread: `the encoding ${this.#options.encoding} is not known` });
    else if (decoder === undefined) {
      parts.push(...this.#chunks);
      finish();
    } else {
      for (const chunk of this.#chunks) decoder.push(chunk);
      decoder.end();
    }
  };

  readonly #giveUp = (): void => {
    if (!this.#hasEnded) this.#finish({ unread: 'it ended early' });
  };

  #decoder(onChunk: (chunk: Uint8Array) => void, onDone: () => void): ContentDecoder | 'unknown' | undefined {
    const { encoding, limit } = this.#options;
    const onEnd = (problem: string | undefined): void => {
      if (problem === undefined) onDone();
      else this.#finish({ unread: problem === TOO_LONG ? TOO_LONG : `it cannot be decoded: ${problem}` });
    };
    return decoderFor(encoding, { limit, onChunk, onEnd });
  }

  /** A body that starts with neither `{` nor `[` need not be kept. An encoded body is checked after decoding. */
  #mayBeMessages(): boolean {
    const { encoding, isStrict } = this.#options;
    if (isStrict || encoding !== undefined) return true;
    for (const chunk of this.#chunks) {
      const first = chunk.find((byte) => byte > 0x20 && !MARK.has(byte));
      if (first !== undefined) return first === OBJECT || first === LIST;
    }
    return true;
  }

  #finish({ content, unread }: Pick<Partial<GatheredBody>, 'content' | 'unread'>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leaveInterceptor();
    this.#from.off('data', this.#take);
    this.#from.off('end', this.#end);
    this.#from.off('error', this.#giveUp);
    this.#from.off('close', this.#giveUp);
    if (!this.#hasEnded) this.#from.pause();
    this.#onGathered({ chunks: this.#chunks, isWhole: this.#hasEnded, content, unread });
  }
}

const OBJECT = 0x7b;
const LIST = 0x5b;
/** The bytes of a byte order mark. */
const MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf]);
