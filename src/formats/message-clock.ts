import { concatBytes, includesBytes } from '../json/lines.ts';
import { ObjectView } from '../json/object-view.ts';
import { removeAt } from '../json/splice.ts';
import type { JsonText } from '../model/entry.ts';
import { LATEST_MS } from '../model/times.ts';
import type { Source } from './format.ts';

/** Every text in which a message carries its time contains this. */
export const STAMP_WORD = '"timestamp';

/** The member in which Inspector transcripts have the time of a message. */
export const STAMP_KEY = 'timestamp_ms';

/**
 * Returns whether any message in the source may have a timestamp. Searching for the word is much faster than parsing
 * each message.
 */
export async function mentionsStamps(source: Source): Promise<boolean> {
  const word = new TextEncoder().encode(STAMP_WORD);
  let tail = new Uint8Array(0);
  for await (const chunk of source.read(0, source.size)) {
    const seam = concatBytes([tail, chunk.subarray(0, word.length)]);
    if (includesBytes(seam, word) || includesBytes(chunk, word)) return true;
    tail = concatBytes([tail, chunk.subarray(-word.length)]).slice(-word.length);
  }
  return false;
}

/** Returns whether a number is a valid timestamp: whole epoch milliseconds. */
export function isStamp(ms: number | undefined): ms is number {
  return ms !== undefined && Number.isInteger(ms) && ms >= 0 && ms <= LATEST_MS;
}

/** Returns the timestamp that some tools add to the message itself, in epoch milliseconds. */
export function stampOf(message: JsonText): number | undefined {
  if (!message.includes(STAMP_WORD)) return undefined;
  const view = ObjectView.of(message);
  return [view?.number(STAMP_KEY), view?.number('timestamp')].find(isStamp);
}

/** Returns a message without the time that Inspector transcripts add to one that has none of its own. */
export function withoutStamp(message: JsonText): JsonText {
  if (!message.includes(STAMP_WORD)) return message;
  const view = ObjectView.of(message);
  const isAdded = isStamp(view?.number(STAMP_KEY)) && !isStamp(view?.number('timestamp'));
  return (isAdded ? removeAt(message, [STAMP_KEY]) : undefined) ?? message;
}

/**
 * Assigns times to messages. A message without a timestamp gets the time of the previous one, and the first ones get
 * the first timestamp. Without any timestamps, the time is the message's number. The current time is never used, so the
 * same input always gives the same output.
 */
export class MessageClock {
  #timeMs: number | undefined;

  constructor(firstMs: number | undefined) {
    this.#timeMs = firstMs;
  }

  /** Whether timestamps are used. If there is no first timestamp, there are none at all. */
  get hasStamps(): boolean {
    return this.#timeMs !== undefined;
  }

  timeOf(stamp: number | undefined, messageNumber: number): number {
    if (this.#timeMs === undefined) return messageNumber;
    this.#timeMs = stamp ?? this.#timeMs;
    return this.#timeMs;
  }
}
