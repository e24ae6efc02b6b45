import { exchangeIn } from '../../../src/analysis/calls/call-reply.ts';
import { ObjectView } from '../../../src/json/object-view.ts';
import type { EventEntry } from '../../../src/model/entry.ts';
import { type EntryKey, keyOf } from '../entry-key.ts';
import { headersIn, type PageHeader } from '../header-pairs.ts';
import type { Lane } from '../timeline/lane.ts';

/** One HTTP request and its response. */
export interface ExchangeFacts {
  readonly key: EntryKey;
  readonly number: number | undefined;
  /** Whether the exchange was between mcpreel and the target of a bridge. */
  readonly isWithTarget: boolean;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly sentType: string;
  readonly receivedType: string;
  readonly endedAtMs: number;
  readonly tookMs: number | undefined;
  readonly firstByteMs: number | undefined;
  readonly isOwnAnswer: boolean;
  readonly requestHeaders: readonly PageHeader[];
  readonly responseHeaders: readonly PageHeader[];
  /** The messages in this exchange. */
  readonly messages: readonly EntryKey[];
}

/** The HTTP exchanges of a lane: their indexes and their messages. */
export interface ExchangePlaces {
  readonly places: readonly number[];
  readonly messages: ReadonlyMap<number, readonly EntryKey[]>;
}

export function exchangeAt(lane: Lane, place: number, { messages }: ExchangePlaces): ExchangeFacts | undefined {
  const entry = lane.entries.at(place);
  return entry?.kind === 'event' ? exchangeFacts(keyOf(lane.index, place), entry, messages) : undefined;
}

function exchangeFacts(key: EntryKey, entry: EventEntry, messages: ExchangePlaces['messages']): ExchangeFacts {
  const view = ObjectView.of(entry.raw);
  const number = exchangeIn(entry.raw);
  const requestHeaders = headersIn(view?.value('requestHeaders'));
  const responseHeaders = headersIn(view?.value('responseHeaders'));
  const isWithTarget = view?.has('side') === true;
  const ms = view?.object('ms');
  return {
    key,
    number,
    isWithTarget,
    method: view?.string('method') ?? '',
    path: view?.string('path') ?? '',
    status: view?.number('status'),
    error: view?.string('error'),
    sentType: typeIn(requestHeaders),
    receivedType: typeIn(responseHeaders),
    endedAtMs: entry.atMs,
    tookMs: ms?.number('end'),
    firstByteMs: ms?.number('firstByte'),
    isOwnAnswer: view?.has('answeredBy') === true,
    requestHeaders,
    responseHeaders,
    messages: (number === undefined || isWithTarget ? undefined : messages.get(number)) ?? [],
  };
}

function typeIn(headers: readonly PageHeader[]): string {
  const [, type = ''] = headers.find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return type.split(';')[0]?.trim() ?? '';
}
