import type { JsonText } from '../model/entry.ts';
import { type EnvelopePeek, peekAt, readEnvelope } from '../protocol/envelope.ts';
import { objectsOf } from '../protocol/rpc-body.ts';
import type { MessageOrigin, TargetLink, TargetLinkEvents } from '../transport/outbound/target-link.ts';

/** The outcome of a request. */
export type ConnectionReply =
  | { readonly kind: 'answer'; readonly text: JsonText }
  | { readonly kind: 'timeout' }
  /** It was sent, then the connection ended. */
  | { readonly kind: 'closed'; readonly reason: string }
  /** It could not be sent or was rejected; `isReached` says whether the target was reached. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isReached: boolean };

/** The events of a connection. */
export interface ConnectionEvents {
  /** The server sent a request. */
  onRequest(text: JsonText, id: JsonText, method: string): void;
  onNotice(text: JsonText, method: string): void;
  onLine(stream: 'stderr' | 'noise', text: string): void;
  /** Any message was sent or received. */
  onTraffic(direction: 'client_to_server' | 'server_to_client', text: JsonText, origin: MessageOrigin): void;
  onEnd(): void;
}

interface PendingReply {
  readonly resolve: (reply: ConnectionReply) => void;
  /** The time at which the request times out. */
  readonly untilMs: number;
}

/**
 * A client connection to the target. Requests get new ids, and only a response with such an id settles one. So a server
 * request is never mistaken for a response.
 */
export class ReplayConnection {
  readonly #events: ConnectionEvents;
  readonly #link: TargetLink;
  readonly #nowMs: () => number;
  /** Keyed by id, in the form that `idKey` returns for the server's responses. */
  readonly #open = new Map<string | number, PendingReply>();
  /** One timer for all requests, because nearly all are answered long before they time out. */
  #alarm: NodeJS.Timeout | undefined;
  #nextId = 1;
  #hasReceived = false;
  #endReason: string | undefined;
  #isClosed = false;
  /** Resolves when more can be sent; `undefined` while it can. */
  #drained: Promise<void> | undefined;
  #onDrain: () => void = () => undefined;

  constructor(openLink: (events: TargetLinkEvents) => TargetLink, events: ConnectionEvents, nowMs: () => number) {
    this.#events = events;
    this.#nowMs = nowMs;
    this.#link = openLink({
      onMessage: (text, origin, peek) => this.#takeFrame(text, origin, peek),
      onLine: (stream, text) => events.onLine(stream, text),
      onExchange: () => undefined,
      onDrain: () => this.#onDrain(),
      onEnd: (reason) => this.#end(reason ?? 'the connection was closed'),
    });
  }

  /** Whether the server has sent any message. */
  get hasHeard(): boolean {
    return this.#hasReceived;
  }

  /** Why the connection ended, if it has. */
  get endReason(): string | undefined {
    return this.#endReason;
  }

  newId(): number {
    return this.#nextId++;
  }

  /** Sends a request with an id from `newId`. Without a timeout, its response may come at any time or never. */
  request(text: JsonText, id: number, timeoutMs: number | undefined): Promise<ConnectionReply> {
    if (this.#endReason !== undefined) {
      return Promise.resolve({ kind: 'refused', reason: this.#endReason, isReached: true });
    }
    return new Promise((resolve) => {
      const untilMs = timeoutMs === undefined ? Number.POSITIVE_INFINITY : this.#nowMs() + timeoutMs;
      this.#open.set(id, { resolve, untilMs });
      if (timeoutMs !== undefined) this.#alarm ??= setTimeout(() => this.#giveUp(), timeoutMs);
      this.#send(text);
    });
  }

  /** Sends a notification or a response; returns whether the connection was open. */
  say(text: JsonText): boolean {
    if (this.#endReason !== undefined) return false;
    this.#send(text);
    return true;
  }

  /** Resolves when the target accepts more; `undefined` if it does already. */
  ready(): Promise<void> | undefined {
    return this.#drained;
  }

  /** Closes the connection; open requests get no response. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#alarm);
    await this.#link.close();
  }

  /** Times out overdue requests and schedules the next check. */
  #giveUp(): void {
    const now = this.#nowMs();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const [key, { resolve, untilMs }] of this.#open) {
      if (untilMs > now) nextMs = Math.min(nextMs, untilMs);
      else if (this.#open.delete(key)) resolve({ kind: 'timeout' });
    }
    const isMore = nextMs < Number.POSITIVE_INFINITY;
    this.#alarm = isMore ? setTimeout(() => this.#giveUp(), Math.ceil(nextMs - now)) : undefined;
  }

  #send(text: JsonText): void {
    this.#events.onTraffic('client_to_server', text, {});
    if (this.#link.send(text) || this.#drained !== undefined) return;
    this.#drained = new Promise((resolve) => {
      this.#onDrain = () => {
        this.#drained = undefined;
        resolve();
      };
    });
  }

  #takeFrame(text: JsonText, origin: MessageOrigin, peek: EnvelopePeek | undefined): void {
    if (this.#isClosed) return;
    if (origin.isOwn !== true) {
      this.#hasReceived = true;
      this.#events.onTraffic('server_to_client', text, origin);
    }
    const batch = text.startsWith('{') ? undefined : objectsOf(text);
    if (batch?.kind === 'batch') for (const message of batch.texts) this.#take(message, origin, peekAt(message));
    else this.#take(text, origin, peek ?? peekAt(text));
  }

  #take(text: JsonText, { isOwn = false }: MessageOrigin, peek: EnvelopePeek | undefined): void {
    if (peek?.kind === 'response') {
      const { key = '' } = peek;
      const open = this.#open.get(key);
      this.#open.delete(key);
      open?.resolve(isOwn ? refusal(text) : { kind: 'answer', text });
      return;
    }
    const { kind, id, method } = readEnvelope(text);
    if (kind === 'request' && id !== undefined && method !== undefined) {
      this.#events.onRequest(text, id, method);
    } else if (kind === 'notification' && method !== undefined) this.#events.onNotice(text, method);
  }

  #end(reason: string): void {
    this.#endReason = reason;
    this.#onDrain();
    clearTimeout(this.#alarm);
    for (const { resolve } of this.#open.values()) resolve({ kind: 'closed', reason });
    this.#open.clear();
    this.#events.onEnd();
  }
}

/** The error that mcpreel's link returned in place of a response, without its `mcpreel: ` prefix. */
function refusal(text: JsonText): ConnectionReply {
  const { error } = JSON.parse(text) as { error?: { message?: string; data?: { httpStatus?: number } } };
  const reason = (error?.message ?? 'no response').replace(/^mcpreel: /, '');
  return { kind: 'refused', reason, isReached: error?.data?.httpStatus !== undefined };
}
