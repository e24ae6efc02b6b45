import { utf8Length } from '../../../src/json/utf8-length.ts';
import type { MessageEntry } from '../../../src/model/entry.ts';
import type { RowOutcome } from '../../../src/present/session-log/row-outcome.ts';
import { type EntryKey, indexOf, keyOf } from '../entry-key.ts';
import { type RowFacts, rowAt } from '../row-facts.ts';
import type { Lane } from '../timeline/lane.ts';
import type { Timeline } from '../timeline/timeline.ts';

/** A row of the list of calls. */
export interface CallFacts {
  readonly kind: 'call';
  readonly key: EntryKey;
  readonly row: RowFacts;
  /** The size of the whole messages, including retries. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** The number of progress notifications, and of requests from the other side during the call. */
  readonly progress: number;
  readonly requests: number;
}

/** The size of a call's messages in bytes. */
export interface CallSize {
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

const sizes = new WeakMap<RowOutcome | MessageEntry, CallSize>();

export function callAt(timeline: Timeline, key: EntryKey): CallFacts | undefined {
  const lane = timeline.lane(key);
  const entry = lane?.entries.at(indexOf(key));
  const row = rowAt(timeline, key);
  if (lane === undefined || entry?.kind !== 'message' || row === undefined) return undefined;
  const outcome = lane.log.outcomeOf(entry);
  return {
    kind: 'call',
    key,
    row,
    ...callSize(lane, entry, outcome),
    progress: outcome?.progress.length ?? 0,
    requests: outcome?.nested.length ?? 0,
  };
}

/** The key of the request that began an entry's call; `undefined` if the entry belongs to none. */
export function callOf(timeline: Timeline, key: EntryKey): EntryKey | undefined {
  const lane = timeline.lane(key);
  if (lane === undefined || !lane.log.facts.isMessageAt(indexOf(key))) return undefined;
  const place = lane.log.requestPlace(indexOf(key));
  return place === undefined ? undefined : keyOf(lane.index, place);
}

/** The bytes sent in each direction for a call, computed once. */
export function callSize(lane: Lane, request: MessageEntry, outcome: RowOutcome | undefined): CallSize {
  const known = sizes.get(outcome ?? request);
  if (known !== undefined) return known;
  const bytesOf = (sequence: number | undefined): number => {
    const message = lane.log.messageAt(sequence);
    return message === undefined ? 0 : utf8Length(message.text);
  };
  let sentBytes = utf8Length(request.text);
  let receivedBytes = bytesOf(outcome?.answer);
  for (const { answer, retry } of outcome?.rounds ?? []) {
    sentBytes += bytesOf(retry);
    receivedBytes += bytesOf(answer);
  }
  const size = { sentBytes, receivedBytes };
  sizes.set(outcome ?? request, size);
  return size;
}
