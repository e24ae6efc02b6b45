import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { decodeUtf8 } from '../../json/lines.ts';
import { type SseItem, SseStream } from '../../protocol/sse/sse-stream.ts';
import { isPlainEncoding } from '../http/content-encoding.ts';
import { unreachableReason } from '../unreachable.ts';
import type { LinkFailure } from './own-answer.ts';
import type { SharedPause } from './shared-pause.ts';

export interface LinkAnswerOptions {
  readonly response: IncomingMessage;
  readonly exchange: number;
  readonly pause: SharedPause;
  readonly maxMessageBytes: number;
  /** The target's name in failure messages. */
  readonly host: string;
}

/** The HTTP response of a target, read as it arrives. */
export class LinkAnswer {
  readonly exchange: number;
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly #options: LinkAnswerOptions;
  #bytes = 0;

  constructor(options: LinkAnswerOptions) {
    const { response, exchange } = options;
    this.#options = options;
    this.exchange = exchange;
    this.status = response.statusCode ?? 0;
    this.rawHeaders = response.rawHeaders;
    // Ignores errors after the end of the body, or before it is read. Errors while reading are reported.
    response.on('error', () => undefined);
  }

  /** Bytes read of the body. */
  get bytes(): number {
    return this.#bytes;
  }

  get isOk(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get isEventStream(): boolean {
    return /^\s*text\/event-stream\s*(?:;|$)/i.test(this.header('content-type') ?? '');
  }

  header(lowerName: string): string | undefined {
    const value = this.#options.response.headers[lowerName];
    return Array.isArray(value) ? value[0] : value;
  }

  /** The failure that the status stands for. */
  statusFailure(): LinkFailure {
    const { status } = this;
    const words = this.#options.response.statusMessage || STATUS_CODES[status] || '';
    return { reason: `HTTP ${status}${words && ` ${words}`} from ${this.#options.host}`, httpStatus: status };
  }

  /** Any other failure of the response. */
  failure(what: string): LinkFailure {
    return { reason: `${what} from ${this.#options.host}`, httpStatus: this.status };
  }

  /** The whole body as text. */
  async text(): Promise<string | LinkFailure> {
    const { maxMessageBytes } = this.#options;
    const chunks: Uint8Array[] = [];
    const failure = await this.#read((chunk) => {
      if (this.#bytes > maxMessageBytes) return false;
      chunks.push(chunk);
      return true;
    });
    if (failure !== undefined) return failure;
    if (this.#bytes > maxMessageBytes) return this.failure(`more than ${maxMessageBytes} bytes in one response`);
    return decodeUtf8(Buffer.concat(chunks)) ?? this.failure('a response that is not UTF-8');
  }

  /** Reads every event of the body. Resolves with the failure if the stream broke, or with `undefined` if it ended. */
  async events(take: (item: SseItem) => void): Promise<LinkFailure | undefined> {
    const stream = new SseStream(this.#options.maxMessageBytes);
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    return await this.#read((chunk) => {
      for (const item of stream.push(decoder.decode(chunk, { stream: true }))) take(item);
      return true;
    });
  }

  /** Stops reading. */
  discard(): void {
    const { response } = this.#options;
    if (!response.readableEnded) response.destroy();
  }

  async #read(take: (chunk: Buffer) => boolean): Promise<LinkFailure | undefined> {
    const { response, pause } = this.#options;
    const encoding = this.header('content-encoding');
    // mcpreel did not offer any encoding.
    if (!isPlainEncoding(encoding)) return this.failure(`a response in the encoding ${encoding}`);
    try {
      for await (const chunk of response) {
        this.#bytes += (chunk as Buffer).length;
        if (!take(chunk as Buffer)) break;
        await pause.canRead();
      }
      return undefined;
    } catch (error) {
      return this.failure(`an incomplete response (${unreachableReason(error as NodeJS.ErrnoException)})`);
    }
  }
}
