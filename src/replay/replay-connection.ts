import type { JsonText } from '../model/entry.ts';
import { type EnvelopePeek, peekAt, readEnvelope } from '../protocol/envelope.ts';
import { objectsOf } from '../protocol/rpc-body.ts';
import type { MessageOrigin, TargetLink, TargetLinkEvents } from '../transport/outbound/target-link.ts';

/** What came of a request. */
export type ConnectionReply =
  | { readonly kind: 'answer'; readonly text: JsonText }
  | { readonly kind: 'timeout' }
  /** It was sent, and the connection ended. */
  | { readonly kind: 'closed'; readonly reason: string }
  /** It could not be sent, or was not taken by a target that was reached or not. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isReached: boolean };

/** What a connection tells. */
export interface ConnectionEvents {
  /** The server asks something itself. */
  onRequest(text: JsonText, id: JsonText, method: string): void;
  onNotice(text: JsonText, method: string): void;
  onLine(stream: 'stderr' | 'noise', text: string): void;
  /** Something was sent or received, whatever it is. */
  onTraffic(direction: 'client_to_server' | 'server_to_client', text: JsonText, origin: MessageOrigin): void;
  onEnd(): void;
}

interface PendingReply {
  readonly resolve: (reply: ConnectionReply) => void;
  /** When it is given up. */
  readonly untilMs: number;
}

/**
 * One connection to a target as its client: requests get ids of our own, and only a response with such an id answers one,
 * so that what the server asks is never taken for an answer.
 */
export class ReplayConnection {
  readonly #events: ConnectionEvents;
  readonly #link: TargetLink;
  readonly #nowMs: () => number;
  /** By their ids, as `idKey` makes them of what the server says. */
  readonly #open = new Map<string | number, PendingReply>();
  /** One for all requests: nearly every one is answered long before its time is up. */
  #alarm: NodeJS.Timeout | undefined;
  #nextId = 1;
  #hasReceived = false;
  #endReason: string | undefined;
  #isClosed = false;
  /** Resolves when more can be sent; absent while it can. */
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

  /** Whether the server has said anything at all. */
  get hasHeard(): boolean {
    return this.#hasReceived;
  }

  /** Why the connection is over, if it is. */
  get endReason(): string | undefined {
    return this.#endReason;
  }

  /** The id for the next request. */
  newId(): number {
    return this.#nextId++;
  }

  /** Sends a request that has an id from `newId`. Without a limit its answer may come at any time, or never. */
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

  /** Sends a notification, or an answer; says whether that was possible. */
  say(text: JsonText): boolean {
    if (this.#endReason !== undefined) return false;
    this.#send(text);
    return true;
  }

  /** Resolves when the target takes more; absent if it does. */
  ready(): Promise<void> | undefined {
    return this.#drained;
  }

  /** Ends the connection; what is open then has no answer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#alarm);
    await this.#link.close();
  }

  /** Ends what has taken too long, and looks again when the next one will have. */
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

/** What a link says in place of an answer, without the name that it signs with. */
function refusal(text: JsonText): ConnectionReply {
  const { error } = JSON.parse(text) as { error?: { message?: string; data?: { httpStatus?: number } } };
  const reason = (error?.message ?? 'there was no answer').replace(/^mcpreel: /, '');
  return { kind: 'refused', reason, isReached: error?.data?.httpStatus !== undefined };
}
