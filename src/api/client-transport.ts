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
 * A way to a server that needs no process and no port. It has the shape of the MCP SDK's `Transport`, of either version:
 * a client connects with `await client.connect(transport)`.
 */
export interface ClientTransport {
  /** Begins a conversation; the SDK's client calls it when it connects. */
  start(): Promise<void>;
  /** Sends a JSON-RPC message; resolves when the next one may be sent. */
  send(message: unknown, options?: unknown): Promise<void>;
  /** Ends the conversation. */
  close(): Promise<void>;
  /** Told of each message of the server. */
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  /** Told when the conversation is over, whoever has ended it. */
  onclose?: (() => void) | undefined;
  /** Told of what a client has thrown when it was told a message. */
  onerror?: ((error: Error) => void) | undefined;
}

export interface DialogueTransportOptions {
  /** Whoever takes the dialogue. */
  readonly events: () => InboundEvents;
  readonly nextConversation: () => number;
  /** Told when nothing more will be said. */
  readonly onOver: () => void;
}

/** Such a way to whoever takes the dialogues of a front. */
export class DialogueTransport implements ClientTransport, ClientDialogue {
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  readonly isSingle = false;
  /** A client of the SDK is told one message at a time. */
  readonly takesApart = true;
  readonly #options: DialogueTransportOptions;
  #conversation = 0;
  #behind: DialogueEvents | undefined;
  #isOver = false;
  /** Resolves when more can be sent; absent while it can. */
  #resumed: Promise<void> | undefined;
  #onResume: () => void = () => undefined;

  constructor(options: DialogueTransportOptions) {
    this.#options = options;
  }

  get conversation(): number {
    return this.#conversation;
  }

  /** Whether no client has taken it yet. */
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
    // Later, as over any wire: an answer must not come before the call that sent its request has returned.
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
