import type { JsonText } from '../model/entry.ts';
import { objectsOf } from '../protocol/rpc-body.ts';
import type {
  ClientDialogue,
  DialogueEvents,
  InboundEvents,
  MessageDelivery,
} from '../transport/inbound/inbound-transport.ts';
import { usage } from './given-option.ts';

/**
 * A transport to a server that needs no process and no port. It is compatible with the `Transport` of the MCP SDK, of
 * either version: connect a client with `await client.connect(transport)`.
 *
 * @example
 * ```ts
 * import { Client } from '@modelcontextprotocol/sdk/client/index.js';
 * import { type ClientTransport, startMock } from 'mcpreel';
 *
 * const mock = await startMock('session.json');
 * const transport: ClientTransport = mock.transport;
 * const client = new Client({ name: 'example', version: '1.0.0' });
 * await client.connect(transport);
 * await client.close();
 * await mock.stop();
 * ```
 */
export interface ClientTransport {
  /** Starts the conversation. The SDK's client calls it when it connects. */
  start(): Promise<void>;
  /** Sends a JSON-RPC message. Resolves when the next one may be sent. */
  send(message: unknown, options?: unknown): Promise<void>;
  /** Ends the conversation. */
  close(): Promise<void>;
  /** Called for each message from the server. */
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  /** Called when the conversation is over, whichever side ended it. */
  onclose?: (() => void) | undefined;
  /** Called with the error that a client's `onmessage` has thrown. */
  onerror?: ((error: Error) => void) | undefined;
}

export interface DialogueTransportOptions {
  /** Returns the events that the dialogue is reported to. */
  readonly events: () => InboundEvents;
  readonly nextConversation: () => number;
  /** Called when the conversation is over. */
  readonly onOver: () => void;
}

/** A client transport within this process. It passes its dialogue to an inbound side's events. */
export class DialogueTransport implements ClientTransport, ClientDialogue {
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  readonly isSingle = false;
  /** The SDK's client receives one message at a time. */
  readonly takesApart = true;
  readonly #options: DialogueTransportOptions;
  #conversation = 0;
  #behind: DialogueEvents | undefined;
  #isOver = false;
  /** Resolves when sending may continue. Absent while sending is not paused. */
  #resumed: Promise<void> | undefined;
  #onResume: () => void = () => undefined;

  constructor(options: DialogueTransportOptions) {
    this.#options = options;
  }

  get conversation(): number {
    return this.#conversation;
  }

  /** Whether no client has connected to it yet. */
  get isFree(): boolean {
    return this.#behind === undefined && !this.#isOver;
  }

  async start(): Promise<void> {
    if (this.#isOver) throw usage('The mcpreel transport is closed', TAKE_ANOTHER);
    if (this.#behind !== undefined) throw usage('The mcpreel transport is connected already', TAKE_ANOTHER);
    const events = this.#options.events();
    this.#conversation = this.#options.nextConversation();
    this.#behind = events.onDialogue(this);
  }

  async send(message: unknown): Promise<void> {
    while (this.#resumed !== undefined) await this.#resumed;
    if (this.#isOver || this.#behind === undefined) {
      throw usage('The mcpreel transport is not connected', 'Connect a client with it first.');
    }
    const text = JSON.stringify(message);
    const body = objectsOf(text);
    if (body === undefined) throw usage('Not a JSON-RPC message', 'Send an object, or a list of them.');
    const takesMore = this.#behind.onMessage({ body, text, place: { conversation: this.conversation } });
    if (!takesMore) this.#pause();
  }

  async close(): Promise<void> {
    this.leave();
  }

  /** Ends the dialogue from the client's side. */
  leave(): void {
    if (this.#isOver) return;
    this.end();
    this.#behind?.onEnd();
  }

  deliver(text: JsonText, delivery: MessageDelivery): boolean {
    if (this.#isOver) return true;
    this.#options.events().onReported({ text, delivery }, { conversation: this.conversation });
    // Delivered asynchronously, as over any transport: a response must not arrive before the `send` of its request has
    // returned.
    queueMicrotask(() => this.#report(text));
    return true;
  }

  resume(): void {
    this.#resumed = undefined;
    this.#onResume();
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.onOver();
    this.resume();
    queueMicrotask(() => this.onclose?.());
  }

  #pause(): void {
    this.#resumed ??= new Promise((resolve) => {
      this.#onResume = resolve;
    });
  }

  #report(text: JsonText): void {
    try {
      const value: unknown = JSON.parse(text);
      for (const message of Array.isArray(value) ? (value as unknown[]) : [value]) this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}

const TAKE_ANOTHER = 'Take another one: each serves one client.';
