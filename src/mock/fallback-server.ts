import type { JsonText } from '../model/entry.ts';
import { errorAnswer } from '../protocol/answer-text.ts';
import { idKey, readEnvelope } from '../protocol/envelope.ts';
import { idAt, withIdAt } from '../protocol/id-splice.ts';
import { objectsOf, textsOf } from '../protocol/rpc-body.ts';
import { INITIALIZED, isResult } from '../recorded/client-facts.ts';
import type { MessageDelivery } from '../transport/inbound/inbound-transport.ts';
import type { MessageOrigin, TargetLink, TargetLinkEvents } from '../transport/outbound/target-link.ts';
import type { FallbackServer } from './fallback-servers.ts';

/** Whoever is told what the live server says. */
export interface ReplyListener {
  hear(text: JsonText, delivery: MessageDelivery): void;
}

/** A request that the live server has not answered yet. */
interface ForwardedRequest {
  readonly hearer: ReplyListener;
  /** The client's own id and progress token. */
  readonly id: JsonText;
  readonly token: JsonText | undefined;
}

/**
 * One connection to a live server. Requests get ids of their own on their way, so that clients without a conversation can
 * share it; everything that comes back for them has the client's own again.
 */
export class FallbackConnection {
  readonly #openLink: (events: TargetLinkEvents) => TargetLink;
  readonly #note: (line: string) => void;
  readonly #asked = new Map<string | number, ForwardedRequest>();
  #link: TargetLink | undefined;
  #numbered = 0;
  /** Requests that wait for the handshake. */
  #waiting: JsonText[] | undefined;
  #greetingKey: string | number | undefined;

  constructor(openLink: (events: TargetLinkEvents) => TargetLink, note: (line: string) => void) {
    this.#openLink = openLink;
    this.#note = note;
  }

  /** Sends a request; if the server was not met yet, `greeting` comes first. */
  ask(text: JsonText, greeting: JsonText | undefined, hearer: ReplyListener): void {
    const { id, method } = readEnvelope(text);
    if (id === undefined) return;
    if (this.#link === undefined) this.#meet(method === 'initialize' ? undefined : greeting);
    const number = `${++this.#numbered}`;
    const token = idAt(text, 'wantedProgress');
    this.#asked.set(idKey(number), { hearer, id, token });
    const numbered = withIdAt(text, 'id', number);
    this.#send(token === undefined ? numbered : withIdAt(numbered, 'wantedProgress', number));
  }

  /** Passes on an answer or a notification of a client, under the names that the server knows. */
  pass(text: JsonText, hearer: ReplyListener): void {
    const { method } = readEnvelope(text);
    if (this.#link === undefined || (method === 'notifications/initialized' && this.#greetingKey !== undefined)) return;
    const cancelled = method === 'notifications/cancelled' ? idAt(text, 'cancelled') : undefined;
    if (cancelled === undefined) this.#send(text);
    else {
      const key = this.#keyOf(cancelled, hearer);
      if (key !== undefined) this.#send(withIdAt(text, 'cancelled', String(key)));
    }
  }

  /** The client no longer waits for the answer. */
  abandon(id: JsonText, hearer: ReplyListener): void {
    const key = this.#keyOf(id, hearer);
    if (key !== undefined) this.#link?.abandon(String(key));
  }

  async close(): Promise<void> {
    await this.#link?.close();
  }

  #meet(greeting: JsonText | undefined): void {
    this.#link = this.#openLink({
      onMessage: (text, origin) => this.#heard(text, origin),
      onLine: (_stream, text) => this.#note(text),
      onExchange: () => undefined,
      onEnd: (reason) => this.#ended(reason ?? 'the connection was closed'),
    });
    if (greeting === undefined) return;
    const number = `${++this.#numbered}`;
    this.#greetingKey = idKey(number);
    this.#waiting = [];
    this.#link.send(withIdAt(greeting, 'id', number));
  }

  #send(text: JsonText): void {
    if (this.#waiting === undefined) this.#link?.send(text);
    else this.#waiting.push(text);
  }

  #heard(text: JsonText, origin: MessageOrigin): void {
    const body = objectsOf(text);
    if (body === undefined) return;
    for (const message of textsOf(body)) this.#hear(message, origin);
  }

  #hear(text: JsonText, { requestId }: MessageOrigin): void {
    const { kind, id, method } = readEnvelope(text);
    if (kind === 'response') {
      if (id !== undefined) this.#answered(text, id);
      return;
    }
    const token = method === 'notifications/progress' ? idAt(text, 'reportedProgress') : undefined;
    const subscription = idAt(text, 'notifiedSubscription');
    const about = this.#find(token) ?? this.#find(subscription) ?? this.#find(requestId) ?? this.#anyone();
    if (about === undefined) return;
    let told = text;
    if (token !== undefined && about.token !== undefined) told = withIdAt(told, 'reportedProgress', about.token);
    if (subscription !== undefined) told = withIdAt(told, 'notifiedSubscription', about.id);
    about.hearer.hear(told, { requestId: about.id });
  }

  #answered(text: JsonText, id: JsonText): void {
    const key = idKey(id);
    if (key === this.#greetingKey) this.#greeted(text);
    const asked = this.#asked.get(key);
    if (asked === undefined) return;
    this.#asked.delete(key);
    const told = withIdAt(withIdAt(text, 'id', asked.id), 'answeredSubscription', asked.id);
    asked.hearer.hear(told, { answers: asked.id });
  }

  #greeted(answer: JsonText): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    if (!isResult(answer)) this.#note('The live server refused the handshake');
    this.#send(INITIALIZED);
    for (const text of waiting) this.#send(text);
  }

  #ended(reason: string): void {
    this.#link = undefined;
    this.#waiting = undefined;
    this.#greetingKey = undefined;
    const open = [...this.#asked.values()];
    this.#asked.clear();
    for (const { hearer, id } of open) hearer.hear(errorAnswer(id, reason), { answers: id, isOwn: true });
  }

  #find(number: JsonText | undefined): ForwardedRequest | undefined {
    return number === undefined ? undefined : this.#asked.get(idKey(number));
  }

  /** What belongs to no request is for whoever asked last. */
  #anyone(): ForwardedRequest | undefined {
    return [...this.#asked.values()].at(-1);
  }

  #keyOf(id: JsonText, hearer: ReplyListener): string | number | undefined {
    const key = idKey(id);
    for (const [number, asked] of this.#asked) {
      if (asked.hearer === hearer && idKey(asked.id) === key) return number;
    }
    return undefined;
  }
}

/** What a client without a conversation, or in one, gets of a live server. */
export function understudyOn(
  server: FallbackConnection,
  hearer: ReplyListener,
  record: (text: JsonText, isClients: boolean) => void,
  close: () => void,
): FallbackServer {
  let greeting: JsonText | undefined;
  const noting: ReplyListener = {
    hear(text, delivery) {
      if (delivery.isOwn !== true) record(text, false);
      hearer.hear(text, delivery);
    },
  };
  return {
    greet(text) {
      greeting = text;
    },
    ask(text) {
      record(text, true);
      server.ask(text, greeting, noting);
    },
    pass(text) {
      if (readEnvelope(text).kind === 'response') record(text, true);
      server.pass(text, noting);
    },
    abandon: (id) => server.abandon(id, noting),
    close,
  };
}
