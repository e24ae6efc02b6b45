import type { BodySteering } from '../http/carried-body.ts';
import { breakOff } from '../http/client-connection.ts';
import { listOf } from '../http/http-headers.ts';
import type { HoldableExchange, PassedAnswer } from './exchange-hold.ts';
import { refusalOf } from './own-answer.ts';

/**
 * An encoded event stream that cannot be read, because its encoding is unknown or began before anything was watched. It
 * is forwarded unchanged, until that is not allowed.
 */
export class UnreadStream implements BodySteering {
  readonly #exchange: HoldableExchange;
  readonly #why: string;
  #isRefused: boolean | undefined;

  constructor(exchange: HoldableExchange, { headers }: PassedAnswer) {
    this.#exchange = exchange;
    this.#why = `the encoding ${listOf(headers, 'content-encoding')} of the stream cannot be decoded`;
  }

  /** Whether an error was sent in place of the whole stream. */
  replaces(): boolean {
    const { holding, head, tap, idleQueue } = this.#exchange;
    if (!holding.interceptor.isWatching || !this.#refuses()) return false;
    idleQueue.afterAll(() => this.#exchange.replace(refusalOf(head, this.#why, tap.requestId)));
    return true;
  }

  steers(): boolean {
    const { holding, response } = this.#exchange;
    if (!holding.interceptor.isWatching || !this.#refuses()) return false;
    breakOff(response);
    return true;
  }

  /** The stream is reported once. */
  #refuses(): boolean {
    const { holding, tap } = this.#exchange;
    this.#isRefused ??= holding.interceptor.unread({
      direction: 'server_to_client',
      conversation: tap.conversationOf(undefined),
      exchange: tap.number,
      why: this.#why,
    });
    return this.#isRefused;
  }
}
