import type { JsonText } from '../model/entry.ts';
import { errorAnswer } from '../protocol/answer-text.ts';
import { idKey, readEnvelope } from '../protocol/envelope.ts';
import { idAt, withIdAt } from '../protocol/id-splice.ts';
import { objectsOf, textsOf } from '../protocol/rpc-body.ts';
import { INITIALIZED, isResult } from '../recorded/client-facts.ts';
import type { MessageDelivery } from '../transport/inbound/inbound-transport.ts';
import type { MessageOrigin, TargetLink, TargetLinkEvents } from '../transport/outbound/target-link.ts';
import type { FallbackServer } from './fallback-servers.ts';

/** Receives the messages that a live server sends for one client. */
export interface ReplyListener {
  receive(text: JsonText, delivery: MessageDelivery): void;
}

interface ForwardedRequest {
  readonly listener: ReplyListener;
  /** The id and the progress token that the client chose. */
  readonly id: JsonText;
  readonly token: JsonText | undefined;
}

/**
 * One connection to a live server, which answers requests that the recording cannot. Requests are renumbered so that
 * clients without a session can share the connection. Messages for a client carry its original ids again.
 */
export class FallbackConnection {
  readonly #openLink: (events: TargetLinkEvents) => TargetLink;
  readonly #note: (line: string) => void;
  readonly #requested = new Map<string | number, ForwardedRequest>();
  #link: TargetLink | undefined;
  #numbered = 0;
  /** Messages to send after the handshake; `undefined` if none is under way. */
  #waiting: JsonText[] | undefined;
  #greetingKey: string | number | undefined;

  constructor(openLink: (events: TargetLinkEvents) => TargetLink, note: (line: string) => void) {
    this.#openLink = openLink;
    this.#note = note;
  }

  /** Sends a request. If there is no connection yet, `greeting` (the client's `initialize`) is sent first. */
  ask(text: JsonText, greeting: JsonText | undefined, listener: ReplyListener): void {
    const { id, method } = readEnvelope(text);
    if (id === undefined) return;
    if (this.#link === undefined) this.#meet(method === 'initialize' ? undefined : greeting);
    const number = `${++this.#numbered}`;
    const token = idAt(text, 'wantedProgress');
    this.#requested.set(idKey(number), { listener, id, token });
    const numbered = withIdAt(text, 'id', number);
    this.#send(token === undefined ? numbered : withIdAt(numbered, 'wantedProgress', number));
  }

  /** Forwards a client's response or notification, with ids translated to those the server knows. */
  pass(text: JsonText, listener: ReplyListener): void {
    const { method } = readEnvelope(text);
    if (this.#link === undefined || (method === 'notifications/initialized' && this.#greetingKey !== undefined)) return;
    const cancelled = method === 'notifications/cancelled' ? idAt(text, 'cancelled') : undefined;
    if (cancelled === undefined) this.#send(text);
    else {
      const key = this.#keyOf(cancelled, listener);
      if (key !== undefined) this.#send(withIdAt(text, 'cancelled', String(key)));
    }
  }

  abandon(id: JsonText, listener: ReplyListener): void {
    const key = this.#keyOf(id, listener);
    if (key !== undefined) this.#link?.abandon(String(key));
  }

  async close(): Promise<void> {
    await this.#link?.close();
  }

  #meet(greeting: JsonText | undefined): void {
    this.#link = this.#openLink({
      onMessage: (text, origin) => this.#received(text, origin),
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

  #received(text: JsonText, origin: MessageOrigin): void {
    const body = objectsOf(text);
    if (body === undefined) return;
    for (const message of textsOf(body)) this.#receive(message, origin);
  }

  #receive(text: JsonText, { requestId }: MessageOrigin): void {
    const { kind, id, method } = readEnvelope(text);
    if (kind === 'response') {
      if (id !== undefined) this.#answered(text, id);
      return;
    }
    const token = method === 'notifications/progress' ? idAt(text, 'reportedProgress') : undefined;
    const subscription = idAt(text, 'notifiedSubscription');
    const about = this.#find(token) ?? this.#find(subscription) ?? this.#find(requestId) ?? this.#anyone();
    if (about === undefined) return;
    let sent = text;
    if (token !== undefined && about.token !== undefined) sent = withIdAt(sent, 'reportedProgress', about.token);
    if (subscription !== undefined) sent = withIdAt(sent, 'notifiedSubscription', about.id);
    about.listener.receive(sent, { requestId: about.id });
  }

  #answered(text: JsonText, id: JsonText): void {
    const key = idKey(id);
    if (key === this.#greetingKey) this.#greeted(text);
    const requested = this.#requested.get(key);
    if (requested === undefined) return;
    this.#requested.delete(key);
    const sent = withIdAt(withIdAt(text, 'id', requested.id), 'answeredSubscription', requested.id);
    requested.listener.receive(sent, { answers: requested.id });
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
    const open = [...this.#requested.values()];
    this.#requested.clear();
    for (const { listener, id } of open) listener.receive(errorAnswer(id, reason), { answers: id, isOwn: true });
  }

  #find(number: JsonText | undefined): ForwardedRequest | undefined {
    return number === undefined ? undefined : this.#requested.get(idKey(number));
  }

  /** Messages that belong to no request go to the client with the newest open request. */
  #anyone(): ForwardedRequest | undefined {
    return [...this.#requested.values()].at(-1);
  }

  #keyOf(id: JsonText, listener: ReplyListener): string | number | undefined {
    const key = idKey(id);
    for (const [number, requested] of this.#requested) {
      if (requested.listener === listener && idKey(requested.id) === key) return number;
    }
    return undefined;
  }
}

/** Connects one client to a live server and records the messages between them. */
export function fallbackOn(
  server: FallbackConnection,
  listener: ReplyListener,
  record: (text: JsonText, isClients: boolean) => void,
  close: () => void,
): FallbackServer {
  let greeting: JsonText | undefined;
  const noting: ReplyListener = {
    receive(text, delivery) {
      if (delivery.isOwn !== true) record(text, false);
      listener.receive(text, delivery);
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
