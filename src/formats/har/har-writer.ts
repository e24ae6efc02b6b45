import { exchangeIn } from '../../analysis/calls/call-reply.ts';
import { ObjectView } from '../../json/object-view.ts';
import type { Entry, EventEntry, JsonText, MessageEntry } from '../../model/entry.ts';
import type { RecordedSession, SessionHeader } from '../../model/session.ts';
import { formatTraceTime } from '../../model/times.ts';
import { envelopeOf } from '../../protocol/envelope.ts';
import { PIECE_LENGTH } from '../format.ts';
import { TRANSCRIPT_ENTRY } from '../http-transcript/transcript-entry.ts';
import { type TimedElement, TimeWindow } from '../time-window.ts';
import { compactObject, type UnknownField } from '../unknown-fields.ts';
import { fitsBody } from './har-body.ts';
import { HAR_MEMBER, type HarExchange, harEntry } from './har-entry.ts';

/**
 * The maximum number of characters in messages that wait for the end of their exchange, and in entries that wait for
 * earlier ones. Beyond it, complete entries are written out of order. If there are none, the oldest exchanges are
 * written incomplete.
 */
const MAX_WAITING = 1 << 23;
/** The approximate size of a message apart from its text. */
const MESSAGE_OVERHEAD = 512;
const MAX_COMPLETE = 1 << 16;

/**
 * Writes an archive with one entry per HTTP exchange, and one per request and response for messages without HTTP, in the
 * order in which they began.
 */
export async function* writeHar(session: RecordedSession): AsyncGenerator<string> {
  const entries = new WaitingEntries(session.header);
  let piece = logHead(session.header);
  let count = 0;
  const add = (texts: readonly JsonText[]): void => {
    for (const text of texts) piece += `${count++ === 0 ? '\n' : ',\n'}${text}`;
  };
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      add(entries.take(entry));
      if (piece.length < PIECE_LENGTH) continue;
      yield piece;
      piece = '';
    }
  }
  for (const text of entries.rest()) {
    add([text]);
    yield piece;
    piece = '';
  }
  yield `${piece}\n]}}\n`;
}

function logHead({ id, startedAtMs, label, transport, command, url, metadata }: SessionHeader): string {
  const creator = JSON.stringify({ name: 'mcpreel', version: __MCPREEL_VERSION__ });
  const fields: UnknownField[] = [
    ['"id"', JSON.stringify(id)],
    ['"startedDateTime"', JSON.stringify(formatTraceTime(startedAtMs))],
    ['"label"', JSON.stringify(label)],
    ['"transport"', JSON.stringify(transport)],
    ['"command"', JSON.stringify(command)],
    ['"metadata"', metadata],
  ];
  if (url !== undefined) fields.push(['"url"', JSON.stringify(url)]);
  return `{"log":{"version":"1.2","creator":${creator},"${HAR_MEMBER}":${compactObject(fields)},"pages":[],"entries":[`;
}

/** The messages of an exchange so far. */
interface PendingEntry {
  /** The number of its first message or event among those of the session. */
  readonly rank: number;
  readonly exchange: number | undefined;
  readonly sent: MessageEntry[];
  readonly received: MessageEntry[];
  endpoint: string | undefined;
  length: number;
}

/** An entry that waits until those that began earlier are written. */
interface CompleteEntry extends TimedElement {
  readonly text: JsonText;
}

/** Collects the messages of each exchange, and returns the texts of complete entries in the order in which they began. */
class WaitingEntries {
  readonly #header: SessionHeader;
  /** The oldest first. */
  readonly #waiting = new Map<string, PendingEntry>();
  readonly #complete = new TimeWindow<CompleteEntry>({ items: MAX_COMPLETE, characters: MAX_WAITING });
  #length = 0;
  #repeated = 0;
  #taken = 0;

  constructor(header: SessionHeader) {
    this.#header = header;
  }

  /** Returns the entries that have to be written now. */
  take(entry: Entry): JsonText[] {
    if (entry.kind === 'other') return [];
    this.#taken++;
    if (entry.kind === 'event') this.#takeEvent(entry);
    else this.#takeMessage(entry);
    while (this.#length > MAX_WAITING) this.#finish(this.#oldest());
    return this.#overflow();
  }

  /** Yields the other entries, of which some are incomplete. */
  *rest(): Generator<JsonText> {
    while (this.#waiting.size > 0) {
      this.#finish(this.#oldest());
      yield* this.#overflow();
    }
    for (const { text } of this.#complete.takeAll()) yield text;
  }

  #overflow(): JsonText[] {
    return this.#complete.takeDownTo((MAX_WAITING - this.#length) / 2).map(({ text }) => text);
  }

  #takeEvent(event: EventEntry): void {
    if (event.event === TRANSCRIPT_ENTRY && ObjectView.of(event.raw)?.has('response')) {
      this.#write(this.#taken, { exchange: undefined, event, sent: [], received: [] });
    }
    if (event.event !== 'http.exchange' && event.event !== 'http.event') return;
    const details = ObjectView.of(event.raw);
    const exchange = exchangeIn(event.raw);
    if (exchange === undefined) return;
    const key = exchangeKey(exchange);
    if (event.event === 'http.exchange') {
      this.#finish(key, event);
      return;
    }
    const endpoint = details?.string('event') === 'endpoint' ? details.string('data') : undefined;
    if (endpoint !== undefined) this.#at(key, exchange).endpoint ??= endpoint.replaceAll(/[\r\n]+/g, ' ');
  }

  #takeMessage(message: MessageEntry): void {
    const exchange = exchangeIn(message.http);
    if (exchange === undefined) {
      this.#takeAlone(message);
      return;
    }
    const key = exchangeKey(exchange);
    const { sent, received } = this.#at(key, exchange);
    const side = message.direction === 'client_to_server' ? sent : received;
    if (!fitsBody(side, message)) this.#finish(key);
    this.#add(key, exchange, message);
  }

  /**
   * Adds a message that was not sent over HTTP. A request waits for its response; any other message becomes its own
   * entry.
   */
  #takeAlone(message: MessageEntry): void {
    const { kind } = envelopeOf(message);
    const { correlatedId } = message;
    const key = requestKey(kind === 'request' ? message.proxyId : (correlatedId ?? ''));
    const requested = this.#waiting.get(key)?.sent[0];
    const answers = kind === 'response' && correlatedId !== undefined;
    if (answers && requested !== undefined && requested.direction !== message.direction) {
      this.#waiting.get(key)?.received.push(message);
      this.#finish(key);
    } else if (kind !== 'request') {
      this.#write(this.#taken, { exchange: undefined, event: undefined, sent: [message], received: [] });
    } else {
      // If several requests have the same id, the oldest is answered first, as everywhere else.
      this.#add(requested === undefined ? key : `repeated ${this.#repeated++}`, undefined, message);
    }
  }

  #at(key: string, exchange: number | undefined): PendingEntry {
    const known = this.#waiting.get(key);
    if (known !== undefined) return known;
    const waiting: PendingEntry = {
      rank: this.#taken,
      exchange,
      sent: [],
      received: [],
      endpoint: undefined,
      length: 0,
    };
    this.#waiting.set(key, waiting);
    return waiting;
  }

  #add(key: string, exchange: number | undefined, message: MessageEntry): void {
    const waiting = this.#at(key, exchange);
    const isSent = exchange === undefined || message.direction === 'client_to_server';
    (isSent ? waiting.sent : waiting.received).push(message);
    const length = message.text.length + MESSAGE_OVERHEAD;
    waiting.length += length;
    this.#length += length;
  }

  #oldest(): string {
    return this.#waiting.keys().next().value ?? '';
  }

  #finish(key: string, event?: EventEntry): void {
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    this.#length -= waiting?.length ?? 0;
    if (waiting === undefined && event === undefined) return;
    const { sent = [], received = [], endpoint } = waiting ?? {};
    const exchange = waiting === undefined ? exchangeIn(event?.raw) : waiting.exchange;
    this.#write(waiting?.rank ?? this.#taken, { exchange, event, endpoint, sent, received });
  }

  #write(rank: number, exchange: HarExchange): void {
    const { startMs, text } = harEntry(exchange, this.#header);
    this.#complete.add({ atMs: startMs, rank, weight: text.length, text });
  }
}

function exchangeKey(exchange: number): string {
  return `exchange ${exchange}`;
}

function requestKey(proxyId: string): string {
  return `request ${proxyId}`;
}
