import type { CallStatus } from '../../analysis/calls/call.ts';
import type { Entry, MessageKind } from '../../model/entry.ts';
import { envelopeOf } from '../../protocol/envelope.ts';
import { NumberColumn } from './number-column.ts';

/** What an entry is; a message by its JSON-RPC kind. */
export type EntryNature = MessageKind | 'event' | 'other';

/** The events that views count. */
export type EventNature = 'stderr' | 'noise' | 'gap' | 'http' | 'beside';

const NATURES: readonly EntryNature[] = ['request', 'response', 'notification', 'invalid', 'event', 'other'];
const EVENTS: readonly EventNature[] = ['beside', 'stderr', 'noise', 'gap', 'http'];
const STATUSES: readonly (CallStatus | undefined)[] = [
  undefined,
  'ok',
  'error',
  'pending',
  'cancelled',
  'late',
  'stream',
];

const NATURE = 0b111;
const FROM_SERVER = 1 << 3;
const CORRELATED = 1 << 4;
const CHANGED = 1 << 5;
const SPECIAL = 1 << 6;
const STATUS_SHIFT = 7;
const EVENT_SHIFT = 10;
const ORPHAN = 1 << 13;

/** Times this far from the first one, in ms, fit in a column, and messages this far from their partner. */
const MAX_FROM_FIRST = 2 ** 31;
const MAX_DISTANCE = 2 ** 16 - 1;

/** Small facts about each entry, in four bytes and four more for its time, for views that look at all entries. */
export class EntryFacts {
  readonly #flags = new NumberColumn((length) => new Uint16Array(length));
  /** How far a response is behind its request, and a request ahead of its response. */
  readonly #distances = new NumberColumn((length) => new Uint16Array(length));
  readonly #farPartners = new Map<number, number>();
  /** Times since `#baseMs`, plus 1. */
  readonly #times = new NumberColumn((length) => new Uint32Array(length));
  readonly #oddTimes = new Map<number, number>();
  readonly #hasTimes: boolean;
  #baseMs: number | undefined;

  /** @param hasTimes Whether `timeAt` is needed. */
  constructor(hasTimes: boolean) {
    this.#hasTimes = hasTimes;
  }

  add(index: number, entry: Entry): void {
    this.#flags.set(index, flagsOf(entry));
    if (this.#hasTimes) this.#addTime(index, entry);
  }

  #addTime(index: number, entry: Entry): void {
    this.#baseMs ??= Math.floor(entry.atMs) - MAX_FROM_FIRST;
    const sinceMs = entry.atMs - this.#baseMs;
    const fits = Number.isInteger(sinceMs) && sinceMs >= 0 && sinceMs < 2 * MAX_FROM_FIRST - 1;
    this.#times.set(index, fits ? sinceMs + 1 : 0);
    if (!fits) this.#oddTimes.set(index, entry.atMs);
  }

  natureAt(index: number): EntryNature {
    return NATURES[this.#flags.get(index) & NATURE] ?? 'other';
  }

  isMessageAt(index: number): boolean {
    return (this.#flags.get(index) & NATURE) < NATURES.indexOf('event');
  }

  eventAt(index: number): EventNature {
    return EVENTS[(this.#flags.get(index) >> EVENT_SHIFT) & NATURE] ?? 'beside';
  }

  isFromServerAt(index: number): boolean {
    return (this.#flags.get(index) & FROM_SERVER) !== 0;
  }

  /** Whether a message was modified, dropped or injected. */
  isChangedAt(index: number): boolean {
    return (this.#flags.get(index) & CHANGED) !== 0;
  }

  /** Whether a message is a response that answers no open request. */
  isOrphanAt(index: number): boolean {
    return (this.#flags.get(index) & ORPHAN) !== 0;
  }

  setOrphan(index: number): void {
    this.#flags.set(index, this.#flags.get(index) | ORPHAN);
  }

  /** Whether the recording names the request of this response. */
  isCorrelatedAt(index: number): boolean {
    return (this.#flags.get(index) & CORRELATED) !== 0;
  }

  timeAt(index: number): number {
    const time = this.#times.get(index);
    return time === 0 ? (this.#oddTimes.get(index) ?? 0) : (this.#baseMs ?? 0) + time - 1;
  }

  /** The status of a message's call. */
  statusAt(index: number): CallStatus | undefined {
    return STATUSES[(this.#flags.get(index) >> STATUS_SHIFT) & NATURE];
  }

  /** Whether more is known of a message's call than its two messages say. */
  isSpecialAt(index: number): boolean {
    return (this.#flags.get(index) & SPECIAL) !== 0;
  }

  partnerAt(index: number): number | undefined {
    const distance = this.#distances.get(index);
    if (distance === 0) return undefined;
    if (distance === MAX_DISTANCE) return this.#farPartners.get(index);
    return this.natureAt(index) === 'request' ? index + distance : index - distance;
  }

  setPartner(index: number, partner: number | undefined): void {
    const ahead = partner === undefined ? 0 : partner - index;
    const distance = this.natureAt(index) === 'request' ? ahead : -ahead;
    const isNear = distance >= 0 && distance < MAX_DISTANCE;
    this.#distances.set(index, isNear ? distance : MAX_DISTANCE);
    if (partner !== undefined && !isNear) this.#farPartners.set(index, partner);
  }

  setCall(index: number, status: CallStatus, isSpecial: boolean): void {
    const others = this.#flags.get(index) & ~((NATURE << STATUS_SHIFT) | SPECIAL);
    this.#flags.set(index, others | (STATUSES.indexOf(status) << STATUS_SHIFT) | (isSpecial ? SPECIAL : 0));
  }
}

function flagsOf(entry: Entry): number {
  if (entry.kind === 'other') return NATURES.indexOf('other');
  if (entry.kind === 'event')
    return NATURES.indexOf('event') | (EVENTS.indexOf(eventNature(entry.event)) << EVENT_SHIFT);
  return (
    NATURES.indexOf(envelopeOf(entry).kind) |
    (entry.direction === 'server_to_client' ? FROM_SERVER : 0) |
    (entry.correlatedId === undefined ? 0 : CORRELATED) |
    (entry.modified || entry.dropped || entry.injected ? CHANGED : 0)
  );
}

const EVENT_NATURES: Readonly<Record<string, EventNature>> = {
  'stdio.stderr': 'stderr',
  'stdio.noise': 'noise',
  'mcpreel.gap': 'gap',
};

function eventNature(event: string): EventNature {
  return event.startsWith('http.') ? 'http' : (EVENT_NATURES[event] ?? 'beside');
}
