import type { JsonText } from '../model/entry.ts';
import { objectsOf } from '../protocol/rpc-body.ts';
import type { ClientDialogue, Delivery, DialogueEvents, FrontEvents } from '../transport/fronts/client-front.ts';

/**
 * A way to a server that needs no process and no port. It has the shape of the MCP SDK's `Transport`, of either version:
 * a client connects with `await client.connect(transport)`.
 */
export interface ClientTransport {
  start(): Promise<void>;
  send(message: unknown, options?: unknown): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

/** Such a way to whoever takes the dialogues of a front. */
export class DialogueTransport implements ClientTransport, ClientDialogue {
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  readonly isSingle = false;
  /** A client of the SDK is told one message at a time. */
  readonly takesApart = true;
  readonly #events: () => FrontEvents;
  readonly #nextConversation: () => number;
  #conversation = 0;
  #behind: DialogueEvents | undefined;
  #isOver = false;
  /** Resolves when more can be sent; absent while it can. */
  #resumed: Promise<void> | undefined;
  #onResume: () => void = () => undefined;

  constructor(events: () => FrontEvents, nextConversation: () => number) {
    this.#events = events;
    this.#nextConversation = nextConversation;
  }

  get conversation(): number {
    return this.#conversation;
  }

  get isStarted(): boolean {
    return this.#behind !== undefined;
  }

  async start(): Promise<void> {
    if (this.#isOver) throw new Error('The mcpreel transport is closed');
    if (this.isStarted) throw new Error('The mcpreel transport is connected already: take another one');
    this.#conversation = this.#nextConversation();
    this.#behind = this.#events().onDialogue(this);
  }

  async send(message: unknown): Promise<void> {
    while (this.#resumed !== undefined) await this.#resumed;
    if (this.#isOver || this.#behind === undefined) throw new Error('The mcpreel transport is not connected');
    const text = JSON.stringify(message);
    const body = objectsOf(text);
    if (body === undefined) throw new Error('Not a JSON-RPC message');
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

  deliver(text: JsonText, delivery: Delivery): boolean {
    if (this.#isOver) return true;
    this.#events().onTold({ text, delivery }, { conversation: this.conversation });
    // Later, as over any wire: an answer must not come before the call that sent its request has returned.
    queueMicrotask(() => this.#tell(text));
    return true;
  }

  resume(): void {
    this.#resumed = undefined;
    this.#onResume();
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.resume();
    queueMicrotask(() => this.onclose?.());
  }

  #pause(): void {
    this.#resumed ??= new Promise((resolve) => {
      this.#onResume = resolve;
    });
  }

  #tell(text: JsonText): void {
    try {
      const value: unknown = JSON.parse(text);
      for (const message of Array.isArray(value) ? (value as unknown[]) : [value]) this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}
