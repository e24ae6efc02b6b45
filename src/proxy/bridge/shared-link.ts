import type { JsonText } from '../../model/entry.ts';
import { idKey, readEnvelope } from '../../protocol/envelope.ts';
import { idAt, withIdAt } from '../../protocol/id-splice.ts';
import { objectsOf, textsOf } from '../../protocol/rpc-body.ts';
import { refuse } from '../../transport/outbound/own-answer.ts';
import type { MessageOrigin, TargetLink, TargetLinkEvents } from '../../transport/outbound/target-link.ts';
import type { BridgeEvents, BridgeOptions } from './bridge-options.ts';
import { type Route, RouteTable } from './route-table.ts';

type SharedLinkOptions = Pick<BridgeOptions, 'openLink' | 'cancelsByMessage'> & {
  readonly events: Pick<BridgeEvents, 'onLine' | 'onTargetExchange' | 'onUndelivered' | 'onTargetEnd'>;
};

/**
 * Shares one target link among many exchanges. Each exchange gets a lane, and answers go to the lane of their request.
 * Ids and progress tokens that are already in use are replaced, and restored in the answers.
 */
export class SharedLink {
  readonly #options: SharedLinkOptions;
  readonly #link: TargetLink;
  readonly #routes = new RouteTable<TargetLinkEvents>();
  #isOver = false;

  constructor(options: SharedLinkOptions) {
    const { events } = options;
    this.#options = options;
    this.#link = options.openLink({
      onMessage: (text, origin) => this.#takeAll(text, origin),
      onLine: (stream, text, tooLong) => events.onLine(stream, text, 0, tooLong),
      onExchange: (exchange) => events.onTargetExchange(exchange, 0),
      onEnd: (reason) => this.#end(reason),
    });
  }

  /** Whether its target has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  attach(lane: TargetLinkEvents): TargetLink {
    return {
      send: (text) => this.#send(text, lane),
      abandon: (requestId) => this.#abandon(requestId, lane),
      // One client must not make the others wait.
      pause: () => undefined,
      resume: () => undefined,
      close: () => {
        for (const route of this.#routes.of(lane)) this.#abandon(route.id, lane);
        return Promise.resolve();
      },
    };
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  #send(text: JsonText, lane: TargetLinkEvents): boolean {
    if (this.#isOver) {
      refuse(text, lane, 'has ended');
      return true;
    }
    const { kind, id, method } = readEnvelope(text);
    // Such a client cancels by closing its stream. The id alone would not identify the client whose request is meant.
    if (method === 'notifications/cancelled') return true;
    if (kind !== 'request' || id === undefined) return this.#link.send(text);
    const route = this.#routes.add(text, id, lane);
    let sent = text;
    if (route.sharedId !== route.id) sent = withIdAt(sent, 'id', route.sharedId);
    if (route.token !== undefined && route.token.shared !== route.token.own) {
      sent = withIdAt(sent, 'wantedProgress', route.token.shared);
    }
    return this.#link.send(sent);
  }

  #abandon(requestId: JsonText, lane: TargetLinkEvents): void {
    const route = this.#routes.of(lane).find(({ id }) => idKey(id) === idKey(requestId));
    if (route === undefined) return;
    this.#routes.abandon(route);
    if (this.#isOver) return;
    this.#link.abandon(route.sharedId);
    if (this.#options.cancelsByMessage) this.#link.send(cancellationOf(route));
  }

  #takeAll(text: JsonText, origin: MessageOrigin): void {
    const body = text.startsWith('[') ? objectsOf(text) : undefined;
    for (const message of body === undefined ? [text] : textsOf(body)) this.#take(message, origin);
  }

  #take(text: JsonText, origin: MessageOrigin): void {
    const routes = this.#routesOf(text, origin);
    for (const route of routes) route.lane.onMessage(withOwnIds(text, route), { ...origin, requestId: route.id });
    if (routes.length === 0) this.#options.events.onUndelivered({ text, delivery: {} }, 0);
  }

  /** The requests that a message belongs to. */
  #routesOf(text: JsonText, { requestId }: MessageOrigin): readonly Route<TargetLinkEvents>[] {
    const { kind, id, method } = readEnvelope(text);
    if (kind === 'response' && id !== undefined) {
      const requested = this.#routes.byId(id);
      if (requested !== undefined) this.#routes.remove(requested);
      return requested === undefined ? [] : [requested];
    }
    const token = method === 'notifications/progress' ? idAt(text, 'reportedProgress') : undefined;
    const subscription = idAt(text, 'notifiedSubscription');
    const route =
      (token === undefined ? undefined : this.#routes.byToken(token)) ??
      (subscription === undefined ? undefined : this.#routes.byId(subscription)) ??
      (requestId === undefined ? undefined : this.#routes.byId(requestId));
    if (route !== undefined) return [route];
    // A log message does not name its request, so every client that asked for logs gets it.
    return method === 'notifications/message' ? this.#routes.thatWantLogs() : [];
  }

  #end(reason: string | undefined): void {
    this.#isOver = true;
    if (reason !== undefined) this.#options.events.onTargetEnd(reason, 0);
    for (const lane of this.#routes.lanes()) lane.onEnd(reason);
  }
}

/** Restores the client's own ids and tokens in a message. */
function withOwnIds(text: JsonText, { id, sharedId, token }: Route<unknown>): JsonText {
  let own = text;
  if (id !== sharedId) {
    if (readEnvelope(own).kind === 'response') {
      own = withIdAt(withIdAt(own, 'id', id), 'answeredSubscription', id);
    } else own = withIdAt(own, 'notifiedSubscription', id);
  }
  if (token !== undefined && token.own !== token.shared && readEnvelope(own).method === 'notifications/progress') {
    own = withIdAt(own, 'reportedProgress', token.own);
  }
  return own;
}

function cancellationOf({ sharedId, meta }: Route<unknown>): JsonText {
  const sent = `"requestId":${sharedId},"reason":"the client closed its stream"`;
  const params = meta === undefined ? `{${sent}}` : `{"_meta":${meta},${sent}}`;
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`;
}
