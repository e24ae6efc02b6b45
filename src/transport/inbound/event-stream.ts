import type { ServerResponse } from 'node:http';
import type { JsonText } from '../../model/entry.ts';
import { eventText } from '../../protocol/sse/sse-text.ts';

/** How often a stream that has nothing to say shows that it is there. Clients and proxies give up after minutes. */
const DEFAULT_KEEP_ALIVE_MS = 15_000;

/** What the head of an event stream says. */
export const STREAM_HEADERS: readonly string[] = [
  'Content-Type',
  'text/event-stream',
  'Cache-Control',
  'no-cache, no-transform',
];

/** What is recorded of a message that was sent on one. */
export const MESSAGE_EVENT: JsonText = '{"event":"message"}';

/** The events of an answer whose head was written. */
export class ClientEventStream {
  readonly #response: ServerResponse;
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;

  constructor(response: ServerResponse, keepAliveMs: number = DEFAULT_KEEP_ALIVE_MS) {
    this.#response = response;
    response.flushHeaders();
    this.#timer = setInterval(() => this.#write(':\n\n'), keepAliveMs);
    response.once('close', () => clearInterval(this.#timer));
  }

  /** How many bytes were written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many bytes wait for the client to take them. */
  get waitingBytes(): number {
    return this.#response.writableLength;
  }

  /** Sends one event, and says whether more can be taken at once. */
  send(event: string, data: string): boolean {
    this.#timer.refresh();
    return this.#write(eventText(event, data));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#response.end();
  }

  #write(text: string): boolean {
    if (this.#response.destroyed || this.#response.writableEnded) return true;
    this.#bytes += Buffer.byteLength(text);
    return this.#response.write(text);
  }
}
