import { concatBytes, includesBytes } from '../json/lines.ts';
import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { LATEST_MS } from '../model/times.ts';
import type { Source } from './format.ts';

/** What every text has in which a message carries its time. */
export const STAMP_WORD = '"timestamp';

/** Whether a stamp may be anywhere in the source: looking for the word is much faster than looking at each message. */
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

/** Whether a number can be the time of a message: whole epoch milliseconds. */
export function isStamp(ms: number | undefined): ms is number {
  return ms !== undefined && Number.isInteger(ms) && ms >= 0 && ms <= LATEST_MS;
}

/** The time that some tools put on a message itself, in epoch milliseconds. */
export function stampOf(message: JsonText): number | undefined {
  if (!message.includes(STAMP_WORD)) return undefined;
  const view = ObjectView.of(message);
  return [view?.number('timestamp_ms'), view?.number('timestamp')].find(isStamp);
}

/**
 * Gives a message without a stamp the time of the one before it, and the first ones that of the first stamp. Where there
 * is no stamp at all, never the clock but the number of the message: the same input gives the same output.
 */
export class MessageClock {
  #timeMs: number | undefined;

  constructor(firstMs: number | undefined) {
    this.#timeMs = firstMs;
  }

  /** Whether stamps count: where the first one is missing, so are all. */
  get hasStamps(): boolean {
    return this.#timeMs !== undefined;
  }

  timeOf(stamp: number | undefined, messageNumber: number): number {
    if (this.#timeMs === undefined) return messageNumber;
    this.#timeMs = stamp ?? this.#timeMs;
    return this.#timeMs;
  }
}
