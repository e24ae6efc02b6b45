import { exchangeIn } from '../../src/analysis/calls/call-reply.ts';
import type { Entry, JsonText, MessageEntry } from '../../src/model/entry.ts';
import type { RowOutcome } from '../../src/present/session-log/row-outcome.ts';
import { envelopeOf } from '../../src/protocol/envelope.ts';
import { openCall } from './calls/open-call.ts';
import { type EntryKey, indexOf, keyOf } from './entry-key.ts';
import { type RelatedEntries, relatedTo } from './related.ts';
import { type RowFacts, rowAt } from './row-facts.ts';
import type { Lane } from './timeline/lane.ts';
import type { Timeline } from './timeline/timeline.ts';
import { definitionOf } from './tools/tool-definitions.ts';

/** A message with the key of its entry. */
export interface PlacedMessage<T = MessageEntry> {
  readonly key: EntryKey;
  readonly entry: T;
}

/** The session that an entry belongs to. */
export interface EntrySession {
  readonly label: string;
  readonly transport: string;
  readonly url: string | undefined;
  readonly command: readonly string[];
  readonly hasTimes: boolean;
  /** The handshake of a client of an older revision, which a copied call needs first. */
  readonly handshake: readonly JsonText[];
}

/** An entry with everything that belongs to it. */
export interface EntryDetail {
  readonly key: EntryKey;
  readonly lane: number;
  readonly row: RowFacts;
  readonly entry: Entry;
  /** The outcome of the entry's call; absent while the call runs. */
  readonly outcome: RowOutcome | undefined;
  /** The request and response of that call, including this entry. */
  readonly request: PlacedMessage | undefined;
  readonly answer: PlacedMessage | undefined;
  readonly related: readonly RelatedEntries[];
  /** The HTTP exchange of the message, as recorded when the exchange ended. */
  readonly exchange: { readonly key: EntryKey; readonly raw: JsonText } | undefined;
  /** The server's definition of the called tool. */
  readonly tool: JsonText | undefined;
  readonly session: EntrySession;
}

export function detailOf(timeline: Timeline, key: EntryKey): EntryDetail | undefined {
  const lane = timeline.lane(key);
  const entry = lane?.entries.at(indexOf(key));
  const row = rowAt(timeline, key);
  if (lane === undefined || entry === undefined || row === undefined) return undefined;
  const outcome = lane.log.outcomeOf(entry);
  const kind = entry.kind === 'message' ? envelopeOf(entry).kind : undefined;
  const own = entry.kind === 'message' ? { key, entry } : undefined;
  const request = messageAt(lane, outcome?.request) ?? (kind === 'request' ? own : undefined);
  const number = entry.kind === 'message' ? exchangeIn(entry.http) : undefined;
  const place = number === undefined ? undefined : lane.log.exchangePlace(number);
  const exchange = place === undefined ? undefined : lane.entries.at(place);
  return {
    key,
    lane: lane.index,
    row,
    entry,
    outcome,
    request,
    answer: messageAt(lane, outcome?.answer) ?? (kind === 'response' && outcome === undefined ? own : undefined),
    related: relatedOf(timeline, lane, key, outcome),
    exchange:
      place === undefined || exchange?.kind !== 'event'
        ? undefined
        : { key: keyOf(lane.index, place), raw: exchange.raw },
    tool: calledDefinition(timeline, lane, request),
    session: sessionOf(lane),
  };
}

/** The entries during the call of this entry, even if the call is still open. */
function relatedOf(
  timeline: Timeline,
  lane: Lane,
  key: EntryKey,
  outcome: RowOutcome | undefined,
): readonly RelatedEntries[] {
  if (outcome !== undefined) return relatedTo(timeline, lane, outcome);
  const call = openCall(lane, key);
  if (call === undefined) return [];
  const rounds = call.rounds.map(({ answer, retry }) => ({ answer: answer.sequence, retry: retry.sequence }));
  return relatedTo(timeline, lane, { ...call, request: call.request.sequence, answer: call.answer?.sequence, rounds });
}

function messageAt(lane: Lane, sequence: number | undefined): PlacedMessage | undefined {
  const place = sequence === undefined ? undefined : lane.log.placeOf(sequence);
  const entry = place === undefined ? undefined : lane.entries.at(place);
  return place === undefined || entry?.kind !== 'message' ? undefined : { key: keyOf(lane.index, place), entry };
}

function calledDefinition(timeline: Timeline, lane: Lane, request: PlacedMessage | undefined): JsonText | undefined {
  if (request === undefined || envelopeOf(request.entry).method !== 'tools/call') return undefined;
  const tool = rowAt(timeline, request.key)?.name;
  return tool === undefined ? undefined : definitionOf(lane, tool, indexOf(request.key));
}

/** A handshake is at the start of a session, or absent. */
const MAX_SEARCHED = 200;

function sessionOf(lane: Lane): EntrySession {
  const { label, transport, url, command } = lane.header;
  return { label, transport, url, command, hasTimes: lane.hasTimes, handshake: handshakeOf(lane) };
}

function handshakeOf({ entries }: Lane): JsonText[] {
  const first = entries.slice(0, MAX_SEARCHED);
  return ['initialize', 'notifications/initialized'].flatMap((method) => {
    const found = first.find((entry) => entry.kind === 'message' && envelopeOf(entry).method === method);
    return found?.kind === 'message' ? [found.text] : [];
  });
}
