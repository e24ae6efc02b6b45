import { Option } from 'commander';
import type { Call } from '../../../analysis/calls/call.ts';
import { exchangeIn } from '../../../analysis/calls/call-reply.ts';
import { callsOf } from '../../../analysis/calls/call-tracker.ts';
import { ownMessage } from '../../../analysis/calls/own-message.ts';
import type { Filter } from '../../../analysis/filter/filter.ts';
import { FilterMemory } from '../../../analysis/filter/filter-memory.ts';
import type { FilterCall, FilterSubject } from '../../../analysis/filter/filter-subject.ts';
import { ObjectView } from '../../../json/object-view.ts';
import { inOwnMemory } from '../../../json/own-memory.ts';
import type { Entry, MessageEntry } from '../../../model/entry.ts';
import { entriesOf, type RecordedSession } from '../../../model/session.ts';
import { filterOfFlag } from '../../flags/filter-flag.ts';

/** The flag of commands that can filter entries. */
export interface FilterFlags {
  readonly filter?: string;
}

/** A session reduced to the entries that match a filter. */
export interface FilteredSession extends RecordedSession {
  readonly filter: Filter;
  /** The number of messages in the last read, matching or not. */
  readonly passed: { messages: number };
}

/** Selects calls of a session by a filter. */
export interface RequestedCalls {
  /** Whether any message of the call matches. */
  wants(call: Call): boolean;
  /** Whether an entry outside any call matches. */
  wantsAlone(entry: Entry): boolean;
}

export function filterOption(): Option {
  return new Option('--filter <filter>', 'only matching entries, like "tool:search status:error"');
}

/** Parses the given filter. Throws a usage error if it is invalid. */
export async function filterFrom({ filter }: FilterFlags): Promise<Filter | undefined> {
  return filter === undefined ? undefined : filterOfFlag('--filter', filter);
}

/**
 * The session without the entries that do not match. Outcomes of calls and HTTP exchanges are known only after their
 * messages. A filter that depends on them reads the session twice.
 */
export async function filteredBy(session: RecordedSession, filter: Filter): Promise<FilteredSession> {
  const subjects = await subjectsOf(session, filter);
  const verdicts = filter.needsOutcomes ? await verdictsOf(session, filter, subjects) : undefined;
  const passed = { messages: 0 };
  let known: readonly Entry[] | undefined;
  return {
    ...session,
    filter,
    passed,
    async *batches() {
      if (known !== undefined) {
        yield known;
        return;
      }
      const memory = new FilterMemory(filter);
      const kept = new KeptEntries();
      passed.messages = 0;
      const isRequested = (entry: Entry): boolean => {
        if (entry.kind !== 'message') return filter.matches(subjects.of(entry));
        passed.messages++;
        const call = memory.take(entry);
        return verdicts?.of(entry) ?? filter.matches(subjects.of(entry, call));
      };
      for await (const batch of session.batches()) {
        const requested = batch.filter(isRequested);
        if (requested.length === 0) continue;
        kept.add(requested);
        yield requested;
      }
      known = kept.entries;
    },
  };
}

/** The same for whole calls, each tested when it has ended. */
export async function requestedCalls(session: RecordedSession, filter: Filter): Promise<RequestedCalls> {
  const subjects = await subjectsOf(session, filter);
  return {
    wants: (call) => messagesOf(call).some((message) => filter.matches(subjects.of(message, call))),
    wantsAlone: (entry) => filter.matches(subjects.of(entry)),
  };
}

/** The whole session, of which tables of calls show those that the filter selects. */
export async function withRequestedCalls(
  session: RecordedSession,
  filter: Filter,
): Promise<{ readonly session: RecordedSession; readonly count: number }> {
  const requested = await requestedCalls(session, filter);
  const sequences = new Set<number>();
  for await (const call of callsOf(session)) if (requested.wants(call)) sequences.add(call.request.sequence);
  return { session: { ...session, wantsCall: (sequence) => sequences.has(sequence) }, count: sequences.size };
}

/** Builds the subjects that a filter is matched against. */
class FilterSubjects {
  readonly #server: string;
  readonly #hasTimes: boolean;
  readonly #statuses: ReadonlyMap<number, number> | undefined;

  constructor({ header, numbersTimes }: RecordedSession, statuses: ReadonlyMap<number, number> | undefined) {
    this.#server = header.label;
    this.#hasTimes = numbersTimes !== true;
    this.#statuses = statuses;
  }

  of(entry: Entry, call?: FilterCall): FilterSubject {
    const exchange = this.#statuses && entry.kind === 'message' ? exchangeIn(entry.http) : undefined;
    const httpStatus = exchange === undefined ? undefined : this.#statuses?.get(exchange);
    const known = call === undefined || this.#hasTimes ? call : { ...call, durationMs: undefined };
    return { entry, call: known, server: this.#server, httpStatus };
  }
}

async function subjectsOf(session: RecordedSession, filter: Filter): Promise<FilterSubjects> {
  return new FilterSubjects(session, filter.needsExchanges ? await statusesOf(session) : undefined);
}

/** The status of every HTTP exchange with a response, by exchange number. */
async function statusesOf(session: RecordedSession): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>();
  for await (const entry of entriesOf(session)) {
    if (entry.kind !== 'event' || entry.event !== 'http.exchange') continue;
    const exchange = exchangeIn(entry.raw);
    const status = ObjectView.of(entry.raw)?.number('status');
    if (exchange !== undefined && status !== undefined) statuses.set(exchange, status);
  }
  return statuses;
}

/** Whether the messages of calls match, decided when each call ends, so that calls need not be kept. */
async function verdictsOf(session: RecordedSession, filter: Filter, subjects: FilterSubjects): Promise<FilterVerdicts> {
  const verdicts = new FilterVerdicts();
  for await (const call of callsOf(session)) {
    for (const message of messagesOf(call)) verdicts.add(message, filter.matches(subjects.of(message, call)));
  }
  return verdicts;
}

/** All messages of a call, in order. */
export function messagesOf({ request, answer, rounds }: Call): MessageEntry[] {
  const between = rounds.flatMap((round) => [round.answer, round.retry]);
  return answer === undefined ? [request, ...between] : [request, ...between, answer];
}

/** One byte per message: 0 if it belongs to no call, otherwise 1 or 2. */
class FilterVerdicts {
  #bytes = new Uint8Array(1 << 12);

  add({ sequence }: MessageEntry, matches: boolean): void {
    if (sequence >= this.#bytes.length) {
      const grown = new Uint8Array(Math.max(sequence + 1, 2 * this.#bytes.length));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes[sequence] = matches ? 2 : 1;
  }

  of({ sequence }: MessageEntry): boolean | undefined {
    const verdict = this.#bytes[sequence] ?? 0;
    return verdict === 0 ? undefined : verdict === 2;
  }
}

/** The maximum number of characters kept. */
const MAX_CHARACTERS = 1 << 22;
const MAX_ENTRIES = 10_000;

/** Keeps entries while they are few, so that a second read does not need a large file. */
class KeptEntries {
  #entries: Entry[] | undefined = [];
  #characters = 0;

  add(entries: readonly Entry[]): void {
    if (this.#entries === undefined) return;
    for (const entry of entries) this.#characters += entry.kind === 'event' ? entry.raw.length : entry.text.length;
    const areFew = this.#characters <= MAX_CHARACTERS && this.#entries.length + entries.length <= MAX_ENTRIES;
    if (areFew) this.#entries.push(...entries.map(ownEntry));
    else this.#entries = undefined;
  }

  /** All added entries, unless they were too many. */
  get entries(): readonly Entry[] | undefined {
    return this.#entries;
  }
}

/** A copy that does not keep the entry's source buffer alive. */
function ownEntry(entry: Entry): Entry {
  switch (entry.kind) {
    case 'message':
      return ownMessage(entry);
    case 'event':
      return { ...entry, raw: inOwnMemory(entry.raw) };
    case 'other':
      return { ...entry, text: inOwnMemory(entry.text) };
  }
}
