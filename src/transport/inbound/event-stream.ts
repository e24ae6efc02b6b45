import type { ServerResponse } from 'node:http';
import type { JsonText } from '../../model/entry.ts';
import { eventText } from '../../protocol/sse/sse-text.ts';

/** How often an idle stream sends a comment. Clients and proxies close idle streams after minutes. */
const DEFAULT_KEEP_ALIVE_MS = 15_000;

/** Headers of an event stream response. */
export const STREAM_HEADERS: readonly string[] = [
  'Content-Type',
  'text/event-stream',
  'Cache-Control',
  'no-cache, no-transform',
];

/** The `sse` value recorded for a message sent on an event stream. */
export const MESSAGE_EVENT: JsonText = '{"event":"message"}';

/** Writes server-sent events to a response whose head was written. */
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

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes that the client has not received yet. */
  get waitingBytes(): number {
    return this.#response.writableLength;
  }

  /** Sends one event. Returns false if the client should drain first. */
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
