import { ObjectView } from '../../json/object-view.ts';
import type { EventEntry, JsonText } from '../../model/entry.ts';
import { idKey } from '../../protocol/envelope.ts';
import { isModernRevision } from '../../protocol/era.ts';
import { modernHeaders, ToolHeaders } from '../../protocol/modern-headers.ts';
import type { Call } from '../calls/call.ts';
import type { EndedExchange, OpenExchange, PostedMessage } from './facts.ts';
import type { EventPlace } from './finding.ts';
import type { FindingMessage } from './seen-message.ts';

type OpenedExchange = { -readonly [K in keyof OpenExchange]: OpenExchange[K] } & { posted: PostedMessage[] };

/** A limit, because an exchange may never end; the oldest is dropped. */
const MAX_OPEN = 10_000;

/** Further messages of one body are not compared with headers. */
const MAX_POSTED = 1000;

/** Tracks the HTTP exchanges of a session, with the messages of open ones. */
export class HttpExchanges {
  readonly #open = new Map<number, OpenedExchange>();
  readonly #toolHeaders = new ToolHeaders();

  open(number: number): OpenExchange | undefined {
    return this.#open.get(number);
  }

  takeMessage(message: FindingMessage): void {
    const { entry, exchangeNumber } = message;
    if (exchangeNumber === undefined) return;
    const exchange = this.#opened(exchangeNumber, entry.conversation ?? 0);
    if (!message.isFromClient) exchange.isAnswered = true;
    else if (exchange.posted.length < MAX_POSTED) {
      const posted = this.#posted(message);
      exchange.posted.push(posted);
      exchange.isModern ||= isModernRevision(posted.revision ?? '');
    }
  }

  takeCall({ method, answer }: Call): void {
    if (method === 'tools/list' && answer !== undefined) this.#toolHeaders.learn(answer.text);
  }

  /**
   * The exchange that an event ends; `undefined` for other events, and for exchanges between a bridge and its target.
   */
  end({ event, raw }: EventEntry, place: EventPlace): EndedExchange | undefined {
    const view = event === 'http.exchange' ? ObjectView.of(raw) : undefined;
    const number = view?.number('exchange');
    if (view === undefined || number === undefined || view.has('side')) return undefined;
    const open = this.#open.get(number) ?? unopened(0);
    this.#open.delete(number);
    return {
      ...open,
      number,
      place: { ...place, exchange: number },
      method: view.string('method') ?? '',
      path: view.string('path') ?? '',
      status: view.number('status'),
      error: view.string('error'),
      isOwnAnswer: view.has('answeredBy'),
      requestHeader: (name) => headerIn(view.value('requestHeaders'), name),
      responseHeader: (name) => headerIn(view.value('responseHeaders'), name),
    };
  }

  #opened(number: number, conversation: number): OpenedExchange {
    const known = this.#open.get(number);
    if (known !== undefined) return known;
    const opened = unopened(conversation);
    this.#open.set(number, opened);
    const [oldest] = this.#open.size > MAX_OPEN ? this.#open.keys() : [];
    if (oldest !== undefined) this.#open.delete(oldest);
    return opened;
  }

  #posted({ entry, envelope, revision }: FindingMessage): PostedMessage {
    const { id, method, kind } = envelope;
    return {
      sequence: entry.sequence,
      method,
      isRequest: kind === 'request',
      key: id === undefined ? undefined : idKey(id),
      revision,
      // The headers are the client's, so they go with the message as the client sent it.
      headers:
        revision === undefined
          ? []
          : modernHeaders(entry.original ?? entry.text, (tool) => this.#toolHeaders.headersFor(tool)),
    };
  }
}

function unopened(conversation: number): OpenedExchange {
  return { conversation, posted: [], isAnswered: false, isModern: false };
}

/** Reads `[["Mcp-Name","…"]]` or `{"Mcp-Name":"…"}`; names are case-insensitive. */
export function headerIn(headers: unknown, name: string): JsonText | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const pairs: unknown[] = Array.isArray(headers) ? headers : Object.entries(headers);
  for (const pair of pairs) {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string' || typeof pair[1] !== 'string') continue;
    if (pair[0].toLowerCase() === name.toLowerCase()) return pair[1];
  }
  return undefined;
}
