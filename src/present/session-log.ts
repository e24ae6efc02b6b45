import type { Call } from '../analysis/calls/call.ts';
import { exchangeIn } from '../analysis/calls/call-reply.ts';
import { CallTracker } from '../analysis/calls/call-tracker.ts';
import { ownMessage } from '../analysis/calls/own-message.ts';
import type { Filter } from '../analysis/filter/filter.ts';
import { type FilterSubject, namesOf } from '../analysis/filter/filter-subject.ts';
import { ObjectView } from '../json/object-view.ts';
import { inOwnMemory } from '../json/own-memory.ts';
import type { Entry, MessageEntry } from '../model/entry.ts';
import { envelopeOf } from '../protocol/envelope.ts';
import { passWordsOn } from './row-words.ts';

/** The outcome of a call, for the rows of its request and response. */
export interface RowOutcome
  extends Pick<
    Call,
    | 'method'
    | 'name'
    | 'status'
    | 'durationMs'
    | 'spanMs'
    | 'humanMs'
    | 'progress'
    | 'logs'
    | 'nested'
    | 'cancelledBy'
    | 'supersededBy'
    | 'origin'
    | 'size'
  > {
  /** The sequences of the two messages. */
  readonly request: number;
  readonly answer: number | undefined;
  readonly rounds: readonly { readonly answer: number; readonly retry: number }[];
}

/** The range of added entries, and the indexes of earlier entries whose outcome changed. */
export interface LogGrowth {
  readonly from: number;
  readonly to: number;
  readonly changed: readonly number[];
}

/** The entries of a session so far, in order, with the outcomes of its calls. Entries are only ever appended. */
export class SessionLog {
  readonly entries: Entry[] = [];
  readonly #tracker = new CallTracker();
  /** The outcome of a message's call, by sequence. */
  readonly #outcomes: (RowOutcome | undefined)[] = [];
  /** The index in `entries` of a message, by sequence. */
  readonly #bySequence: number[] = [];
  /** The index by proxy id. It is filled lazily up to `#named`, because lookups are rare. */
  readonly #byId = new Map<string, number>();
  #named = 0;
  /** The sequences of responses that answer no open request. */
  readonly #orphans = new Set<number>();
  readonly #exchangeStatus = new Map<number, number>();
  readonly #inExchange = new Map<number, number[]>();
  readonly #maxKept: number;
  #label: string | undefined;
  #errors = 0;
  /** The number of characters in memory, and the first entry that still has its text. */
  #kept = 0;
  #firstWhole = 0;

  /** @param maxKept About how many characters of text to keep in memory. */
  constructor(maxKept: number = MAX_KEPT) {
    this.#maxKept = maxKept;
  }

  /** The server's display name. */
  set label(label: string) {
    this.#label = label;
  }

  get messageCount(): number {
    return this.#bySequence.length;
  }

  get errorCount(): number {
    return this.#errors;
  }

  add(entries: readonly Entry[]): LogGrowth {
    const from = this.entries.length;
    const changed: number[] = [];
    for (const entry of entries) {
      const index = this.entries.push(entry) - 1;
      this.#kept += lengthOf(entry);
      if (entry.kind === 'message') this.#place(entry, index);
      else if (entry.kind === 'event' && entry.event === 'http.exchange') this.#endExchange(entry.raw, changed);
      const { calls, orphans } = this.#tracker.take(entry);
      for (const { message } of orphans) this.#orphans.add(message.sequence);
      for (const call of calls) this.#settle(call, changed);
    }
    this.#forget();
    return { from, to: this.entries.length, changed };
  }

  /** Marks all unanswered calls as never answered; returns the indexes of the changed entries. */
  end(): readonly number[] {
    const changed: number[] = [];
    for (const call of this.#tracker.end()) this.#settle(call, changed);
    return changed;
  }

  outcomeOf(entry: Entry): RowOutcome | undefined {
    return entry.kind === 'message' ? this.#outcomes[entry.sequence] : undefined;
  }

  /** Whether a message is a request without a response so far. */
  isOpenRequest(message: MessageEntry): boolean {
    return this.#outcomes[message.sequence] === undefined && envelopeOf(message).kind === 'request';
  }

  /** Whether a message is a response that answers no open request. */
  isOrphan(message: MessageEntry): boolean {
    return this.#orphans.has(message.sequence);
  }

  /** The index of the message with this sequence. */
  placeOf(sequence: number): number | undefined {
    return this.#bySequence[sequence];
  }

  /** The index of the message with this proxy id, if it was added already. */
  indexOf(proxyId: string): number | undefined {
    for (; this.#named < this.entries.length; this.#named++) {
      const entry = this.entries[this.#named];
      if (entry?.kind === 'message') this.#byId.set(entry.proxyId, this.#named);
    }
    return this.#byId.get(proxyId);
  }

  /** The index of a request's response, or of a response's request. */
  partnerOf(entry: Entry): number | undefined {
    if (entry.kind !== 'message') return undefined;
    const outcome = this.#outcomes[entry.sequence];
    const partner = outcome?.request === entry.sequence ? outcome.answer : outcome?.request;
    if (partner !== undefined) return this.#bySequence[partner];
    return entry.correlatedId === undefined ? undefined : this.indexOf(entry.correlatedId);
  }

  /** An entry with the context that a filter needs. */
  subjectOf(
    entry: Entry,
    { needsCalls, needsExchanges }: Pick<Filter, 'needsCalls' | 'needsExchanges'>,
  ): FilterSubject {
    const server = this.#label;
    if (entry.kind !== 'message') return { entry, server };
    const exchange = needsExchanges ? exchangeIn(entry.http) : undefined;
    const httpStatus = exchange === undefined ? undefined : this.#exchangeStatus.get(exchange);
    const call = needsCalls ? (this.#outcomes[entry.sequence] ?? openCall(entry)) : undefined;
    return { entry, server, httpStatus, call };
  }

  /** A session may run for days, so the oldest messages keep only the data that the list shows. */
  #forget(): void {
    for (; this.#kept > this.#maxKept && this.#firstWhole < this.entries.length - 1; this.#firstWhole++) {
      const entry = this.entries[this.#firstWhole];
      if (entry === undefined) return;
      const rest = withoutText(entry);
      passWordsOn(entry, rest);
      this.entries[this.#firstWhole] = rest;
      this.#kept -= lengthOf(entry);
    }
  }

  #place(message: MessageEntry, index: number): void {
    this.#bySequence[message.sequence] = index;
    const exchange = exchangeIn(message.http);
    if (exchange === undefined) return;
    const others = this.#inExchange.get(exchange);
    if (others === undefined) this.#inExchange.set(exchange, [index]);
    else others.push(index);
  }

  #settle(call: Call, changed: number[]): void {
    const outcome = outcomeOf(call);
    if (outcome.status === 'error') this.#errors++;
    for (const { answer, retry } of outcome.rounds) {
      this.#outcomes[answer] = outcome;
      this.#outcomes[retry] = outcome;
    }
    for (const sequence of [outcome.request, outcome.answer]) {
      if (sequence === undefined) continue;
      this.#outcomes[sequence] = outcome;
      const index = this.#bySequence[sequence];
      if (index !== undefined) changed.push(index);
    }
  }

  #endExchange(raw: string, changed: number[]): void {
    const event = ObjectView.of(raw);
    const exchange = event?.number('exchange');
    const status = event?.number('status');
    if (exchange === undefined || status === undefined) return;
    this.#exchangeStatus.set(exchange, status);
    // `push(...indexes)` would fail: an exchange may have more messages than a function call can have arguments.
    for (const index of this.#inExchange.get(exchange) ?? []) changed.push(index);
    this.#inExchange.delete(exchange);
  }
}

const NO_ROUNDS: RowOutcome['rounds'] = [];

function outcomeOf(call: Call): RowOutcome {
  const { name, status, durationMs, spanMs, humanMs, progress, logs, nested, cancelledBy, supersededBy, origin } = call;
  return {
    // Copies, because slices would keep the text of a forgotten request in memory.
    method: inOwnMemory(call.method),
    name: inOwnMemory(name),
    status,
    durationMs,
    spanMs,
    humanMs,
    request: call.request.sequence,
    answer: call.answer?.sequence,
    rounds:
      call.rounds.length === 0
        ? NO_ROUNDS
        : call.rounds.map(({ answer, retry }) => ({ answer: answer.sequence, retry: retry.sequence })),
    progress,
    logs,
    nested,
    cancelledBy,
    supersededBy,
    origin,
    size: call.size,
  };
}

/** About this many bytes, or twice as many for text beyond Latin-1. */
const MAX_KEPT = 1 << 28;

const FORGOTTEN = '{"mcpreel":"no longer in memory; see the trace file"}';

function lengthOf(entry: Entry): number {
  if (entry.kind === 'event') return entry.raw.length;
  return entry.kind === 'message' ? entry.text.length + (entry.original?.length ?? 0) : entry.text.length;
}

/** The remaining entry must not share memory with the original: even a small slice would keep the whole text alive. */
function withoutText(entry: Entry): Entry {
  switch (entry.kind) {
    case 'message':
      return messageWithoutText(entry);
    case 'event':
      return { ...entry, event: inOwnMemory(entry.event), raw: FORGOTTEN, keepsakes: undefined };
    case 'other':
      return { ...entry, type: inOwnMemory(entry.type), text: FORGOTTEN };
  }
}

function messageWithoutText(message: MessageEntry): MessageEntry {
  const { kind, id, method } = envelopeOf(message);
  const bare = { ...message, text: '', original: undefined, sentText: undefined, keepsakes: undefined };
  const envelope = { kind, id: inOwnMemory(id), method: inOwnMemory(method) };
  return { ...ownMessage(bare), envelope, text: FORGOTTEN };
}

function openCall(message: MessageEntry): FilterSubject['call'] {
  const { kind, method, tool } = namesOf(message);
  return kind === 'request' && method !== undefined ? { method, name: tool, status: 'pending' } : undefined;
}
