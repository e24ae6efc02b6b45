import type { Call } from '../../analysis/calls/call.ts';
import { exchangeIn } from '../../analysis/calls/call-reply.ts';
import { CallTracker } from '../../analysis/calls/call-tracker.ts';
import type { Filter } from '../../analysis/filter/filter.ts';
import { type FilterSubject, namesOf } from '../../analysis/filter/filter-subject.ts';
import { inOwnMemory } from '../../json/own-memory.ts';
import type { Entry, MessageEntry } from '../../model/entry.ts';
import { envelopeOf } from '../../protocol/envelope.ts';
import { EntryBlocks, type EntryTexts, type PlacedLines } from './entry-blocks.ts';
import { EntryFacts } from './entry-facts.ts';
import { ExchangeStatuses } from './exchange-statuses.ts';
import { isOrdinary, outcomeOf, type RowOutcome } from './row-outcome.ts';

/** The range of added entries, and the indexes of earlier entries whose outcome changed. */
export interface LogGrowth {
  readonly from: number;
  readonly to: number;
  readonly changed: readonly number[];
}

/** The outcome of a call, as far as it is known without reading its messages. */
export interface CallGlance extends Pick<RowOutcome, 'status' | 'durationMs' | 'spanMs'> {
  /** Whether the message is the first request of the call, or its last response. */
  readonly isRequest: boolean;
  readonly isAnswer: boolean;
}

export interface LogOptions {
  /** About how many bytes of entries to keep in memory, if `texts` is set. */
  readonly maxInMemory?: number;
  /** How many entries are read again at once. */
  readonly blockEntries?: number;
  /** Whether the time of each entry is needed without reading it. */
  readonly hasTimes?: boolean;
}

/** About this many bytes of entries stay in memory. The heap grows to several times of what lives in it. */
const MAX_IN_MEMORY = 1 << 22;

/** Requests without a response so far whose ids are remembered. */
const MAX_OPEN = 100_000;

/**
 * The entries of a session so far, in order, with the outcomes of its calls. Entries are only ever appended. It holds
 * small facts about each entry, and the texts of those used last; `texts` shows where the others are.
 */
export class SessionLog {
  readonly facts: EntryFacts;
  readonly entries: EntryBlocks;
  readonly #tracker = new CallTracker();
  /** The outcomes that the two messages of a call do not give, by the sequences of all its messages. */
  readonly #special = new Map<number, RowOutcome>();
  readonly #computed = new WeakMap<Entry, RowOutcome>();
  /** The indexes of requests that a response may name. */
  readonly #requests = new Map<string, number>();
  /** The ids that responses name although the recording has no such request. */
  readonly #unknownIds = new Map<number, string>();
  readonly #exchanges = new ExchangeStatuses();
  /** The indexes of responses that list tools. */
  readonly listings: number[] = [];
  #messages = 0;
  #label: string | undefined;
  #errors = 0;

  constructor({ maxInMemory = MAX_IN_MEMORY, blockEntries, hasTimes = false }: LogOptions = {}) {
    this.facts = new EntryFacts(hasTimes);
    const fixes = {
      complete: this.#complete.bind(this),
      missing: this.#missing.bind(this),
    };
    this.entries = new EntryBlocks(fixes, maxInMemory, blockEntries);
  }

  /** The server's display name. */
  set label(label: string) {
    this.#label = label;
  }

  set texts(texts: EntryTexts) {
    this.entries.texts = texts;
  }

  get messageCount(): number {
    return this.#messages;
  }

  get errorCount(): number {
    return this.#errors;
  }

  /** Adds entries; `places` shows where their lines are in the recording. */
  add(entries: readonly Entry[], places?: PlacedLines): LogGrowth {
    const from = this.entries.length;
    const changed: number[] = [];
    const isPlaced = places?.starts.length === entries.length;
    for (const [n, entry] of entries.entries()) {
      const index = from + n;
      this.facts.add(index, entry);
      this.entries.add(entry, isPlaced ? (places.starts[n] ?? -1) : -1, isPlaced ? (places.lines[n] ?? 0) : 0);
      if (entry.kind === 'message') this.#place(entry, index);
      else if (entry.kind === 'event' && entry.event === 'http.exchange') {
        for (const other of this.#exchanges.end(entry.raw, index)) changed.push(other);
      }
      const { calls, orphans } = this.#tracker.take(entry);
      // Only the entry itself can be one.
      if (orphans.length > 0) this.facts.setOrphan(index);
      for (const call of calls) this.#settle(call, changed);
    }
    return { from, to: this.entries.length, changed };
  }

  /** Marks all unanswered calls as never answered; returns the indexes of the changed entries. */
  end(): readonly number[] {
    const changed: number[] = [];
    for (const call of this.#tracker.end()) this.#settle(call, changed);
    return changed;
  }

  outcomeOf(entry: Entry): RowOutcome | undefined {
    if (entry.kind !== 'message') return undefined;
    const special = this.#special.get(entry.sequence);
    if (special !== undefined) return special;
    const index = this.placeOf(entry.sequence);
    return index === undefined || this.facts.statusAt(index) === undefined ? undefined : this.#ordinaryAt(index);
  }

  /** Whether a message is a request without a response so far. */
  isOpenRequest(message: MessageEntry): boolean {
    return this.outcomeOf(message) === undefined && envelopeOf(message).kind === 'request';
  }

  /** Whether a message is a response that answers no open request. */
  isOrphan(message: MessageEntry): boolean {
    const index = this.placeOf(message.sequence);
    return index !== undefined && this.facts.isOrphanAt(index);
  }

  /** The index of the message with this sequence. */
  placeOf(sequence: number): number | undefined {
    return this.entries.placeOf(sequence, (index) => this.facts.isMessageAt(index));
  }

  /** The message with this sequence. */
  messageAt(sequence: number | undefined): MessageEntry | undefined {
    const place = sequence === undefined ? undefined : this.placeOf(sequence);
    const entry = place === undefined ? undefined : this.entries.at(place);
    return entry?.kind === 'message' ? entry : undefined;
  }

  /** The index of the message with this proxy id. Looks at all entries from `from` on. */
  indexOf(proxyId: string, from = 0): number | undefined {
    for (let index = from; index < this.entries.length; index++) {
      const entry = this.facts.isMessageAt(index) ? this.entries.at(index) : undefined;
      if (entry?.kind === 'message' && entry.proxyId === proxyId) return index;
    }
    return undefined;
  }

  /** The index of the request that began the call of a message; `undefined` if it belongs to no call. */
  requestPlace(index: number): number | undefined {
    const nature = this.facts.natureAt(index);
    if (this.facts.isSpecialAt(index)) {
      const entry = this.entries.at(index);
      const outcome = entry && this.outcomeOf(entry);
      return outcome && this.placeOf(outcome.request);
    }
    if (nature === 'request') return index;
    return this.facts.statusAt(index) === undefined ? undefined : this.facts.partnerAt(index);
  }

  /** What is known of a message's call without reading the message; `undefined` while the call is open. */
  callAt(index: number): CallGlance | undefined {
    const status = this.facts.statusAt(index);
    if (status === undefined) return undefined;
    if (this.facts.isSpecialAt(index)) {
      const sequence = this.entries.sequenceAt(index, (place) => this.facts.isMessageAt(place));
      const outcome = this.#special.get(sequence);
      if (outcome === undefined) return undefined;
      return { ...outcome, isRequest: outcome.request === sequence, isAnswer: outcome.answer === sequence };
    }
    const isRequest = this.facts.natureAt(index) === 'request';
    const partner = this.facts.partnerAt(index);
    const tookMs = partner === undefined ? undefined : Math.abs(this.facts.timeAt(partner) - this.facts.timeAt(index));
    return { status, durationMs: tookMs, spanMs: tookMs, isRequest, isAnswer: !isRequest };
  }

  /** Whether a message is a request whose call is not known to have ended. */
  isOpenAt(index: number): boolean {
    return this.facts.natureAt(index) === 'request' && this.facts.statusAt(index) === undefined;
  }

  /** The index of a request's response, or of a response's request. */
  partnerOf(entry: Entry): number | undefined {
    if (entry.kind !== 'message') return undefined;
    const outcome = this.#special.get(entry.sequence);
    const partner = outcome?.request === entry.sequence ? outcome.answer : outcome?.request;
    if (partner !== undefined) return this.placeOf(partner);
    const index = this.placeOf(entry.sequence);
    return index === undefined ? undefined : this.facts.partnerAt(index);
  }

  /** An entry with the context that a filter needs. */
  subjectOf(
    entry: Entry,
    { needsCalls, needsExchanges }: Pick<Filter, 'needsCalls' | 'needsExchanges'>,
  ): FilterSubject {
    const server = this.#label;
    if (entry.kind !== 'message') return { entry, server };
    const exchange = needsExchanges ? exchangeIn(entry.http) : undefined;
    const httpStatus = exchange === undefined ? undefined : this.#exchanges.statusOf(exchange);
    const call = needsCalls ? (this.outcomeOf(entry) ?? openCall(entry)) : undefined;
    return { entry, server, httpStatus, call };
  }

  /** The index of the event that describes an HTTP exchange with the client, once the exchange has ended. */
  exchangePlace(exchange: number): number | undefined {
    return this.#exchanges.placeOf(exchange);
  }

  #place(message: MessageEntry, index: number): void {
    this.#messages++;
    const { kind } = envelopeOf(message);
    if (kind === 'request') {
      this.#requests.set(inOwnMemory(message.proxyId), index);
      const [oldest] = this.#requests.size > MAX_OPEN ? this.#requests.keys() : [];
      if (oldest !== undefined) this.#requests.delete(oldest);
    }
    if (message.correlatedId !== undefined) this.#correlate(message.correlatedId, index);
    const exchange = exchangeIn(message.http);
    if (exchange !== undefined) this.#exchanges.add(exchange, index);
  }

  #correlate(id: string, index: number): void {
    const request = this.#requests.get(id);
    this.facts.setPartner(index, request);
    if (request === undefined) this.#unknownIds.set(index, inOwnMemory(id));
    // A request may be sent again with an answer that came before.
    else if (this.facts.natureAt(index) === 'response') this.#requests.delete(id);
  }

  #settle(call: Call, changed: number[]): void {
    const request = this.placeOf(call.request.sequence);
    if (call.status === 'error') this.#errors++;
    if (request === undefined) return;
    const answer = call.answer === undefined ? undefined : this.placeOf(call.answer.sequence);
    if (call.method === 'tools/list' && answer !== undefined) this.listings.push(answer);
    const isSpecial = !isOrdinary(call) || this.#hasOtherPartner(request, answer);
    if (isSpecial) this.#keep(call);
    for (const [place, partner] of [
      [request, answer],
      [answer, request],
    ]) {
      if (place === undefined) continue;
      this.facts.setCall(place, call.status, isSpecial);
      if (!isSpecial) this.facts.setPartner(place, partner);
      changed.push(place);
    }
  }

  #keep(call: Call): void {
    const outcome = outcomeOf(call);
    const rounds = outcome.rounds.flatMap(({ answer, retry }) => [answer, retry]);
    for (const sequence of [...rounds, outcome.request, outcome.answer]) {
      if (sequence === undefined) continue;
      this.#special.set(sequence, outcome);
      const place = this.placeOf(sequence);
      if (place !== undefined) this.facts.setCall(place, call.status, true);
    }
  }

  /** Whether the recording names another request for this response than the one that its call has. */
  #hasOtherPartner(request: number, answer: number | undefined): boolean {
    if (answer === undefined || !this.facts.isCorrelatedAt(answer)) return false;
    return this.facts.partnerAt(answer) !== request || this.#unknownIds.has(answer);
  }

  /** The outcome of a call of which its two messages say everything. */
  #ordinaryAt(index: number): RowOutcome | undefined {
    const isRequest = this.facts.natureAt(index) === 'request';
    const requestPlace = isRequest ? index : this.facts.partnerAt(index);
    const answerPlace = isRequest ? this.facts.partnerAt(index) : index;
    const request = requestPlace === undefined ? undefined : this.entries.at(requestPlace);
    if (request === undefined) return undefined;
    const known = this.#computed.get(request);
    if (known !== undefined && (known.answer === undefined) === (answerPlace === undefined)) return known;
    const tracker = new CallTracker();
    tracker.take(request);
    const answer = answerPlace === undefined ? undefined : this.entries.at(answerPlace);
    const [call] = answer === undefined ? tracker.end() : tracker.take(answer).calls;
    if (call === undefined) return undefined;
    const outcome = outcomeOf(call);
    this.#computed.set(request, outcome);
    return outcome;
  }

  #complete(entry: Entry, index: number, proxyIdAt: (index: number) => string | undefined): Entry {
    if (entry.kind !== 'message') return entry;
    const partner = this.facts.isCorrelatedAt(index) ? this.facts.partnerAt(index) : undefined;
    const correlatedId =
      entry.correlatedId ?? this.#unknownIds.get(index) ?? (partner === undefined ? undefined : proxyIdAt(partner));
    return entry.correlatedId === correlatedId ? entry : { ...entry, correlatedId };
  }

  #missing(index: number, atMs: number): Entry {
    if (!this.facts.isMessageAt(index)) return { kind: 'other', type: undefined, atMs, text: UNREADABLE };
    const direction = this.facts.isFromServerAt(index) ? 'server_to_client' : 'client_to_server';
    const sequence = this.entries.sequenceAt(index, (place) => this.facts.isMessageAt(place));
    return { kind: 'message', sequence, proxyId: '', atMs, direction, text: UNREADABLE };
  }
}

const UNREADABLE = '{"mcpreel":"the recording has changed since it was opened; open it again"}';

function openCall(message: MessageEntry): FilterSubject['call'] {
  const { kind, method, tool } = namesOf(message);
  return kind === 'request' && method !== undefined ? { method, name: tool, status: 'pending' } : undefined;
}
