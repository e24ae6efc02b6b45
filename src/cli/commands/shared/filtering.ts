import { Option } from 'commander';
import type { Call } from '../../../analysis/calls/call.ts';
import { exchangeIn } from '../../../analysis/calls/call-reply.ts';
import { callsOf } from '../../../analysis/calls/call-tracker.ts';
import { ownMessage } from '../../../analysis/calls/own-message.ts';
import { type Filter, loadFilter } from '../../../analysis/filter/filter.ts';
import { FilterMemory } from '../../../analysis/filter/filter-memory.ts';
import type { FilterCall, FilterSubject } from '../../../analysis/filter/filter-subject.ts';
import { ObjectView } from '../../../json/object-view.ts';
import { inOwnMemory } from '../../../json/own-memory.ts';
import type { Entry, MessageEntry } from '../../../model/entry.ts';
import { entriesOf, type RecordedSession } from '../../../model/session.ts';

/** The flag of every command that can be told which entries are wanted. */
export interface FilterFlags {
  readonly filter?: string;
}

/** A session of which only some entries are given. */
export interface FilteredSession extends RecordedSession {
  readonly filter: Filter;
  /** How many messages the last reading passed, wanted or not. */
  readonly passed: { messages: number };
}

/** What of a session is wanted where it is told call by call. */
export interface RequestedCalls {
  /** One message of a call that matches is enough. */
  wants(call: Call): boolean;
  /** For what belongs to no call. */
  wantsAlone(entry: Entry): boolean;
}

export function filterOption(): Option {
  return new Option('--filter <filter>', 'only the entries that match, like "tool:search status:error"');
}

/** The filter that was given. Throws a usage error where it is none. */
export async function filterFrom({ filter }: FilterFlags): Promise<Filter | undefined> {
  return filter === undefined ? undefined : loadFilter(filter);
}

/**
 * The session without the entries that do not match. How calls went and what became of HTTP exchanges is known only
 * later than the messages that ask for it, so a filter that wants to know reads the session before.
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

/** The same for whole calls, each of which is asked about when it is over. */
export async function requestedCalls(session: RecordedSession, filter: Filter): Promise<RequestedCalls> {
  const subjects = await subjectsOf(session, filter);
  return {
    wants: (call) => messagesOf(call).some((message) => filter.matches(subjects.of(message, call))),
    wantsAlone: (entry) => filter.matches(subjects.of(entry)),
  };
}

/** Makes what the filter is asked about. */
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

/** The status of every HTTP exchange that was answered, by its number. */
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

/** Whether the messages of calls match, decided when each call is over, so that no call has to be kept. */
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

/** A byte per message: 0 for those that belong to no call, else 1 or 2. */
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

/** Characters of text that are kept at most. */
const MAX_CHARACTERS = 1 << 22;
const MAX_ENTRIES = 10_000;

/** Keeps entries as long as they are few, so that whoever wants them again need not read a large file for them. */
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

  /** All that was added, unless that was too much. */
  get entries(): readonly Entry[] | undefined {
    return this.#entries;
  }
}

/** A copy that does not keep alive what the entry was read from. */
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
