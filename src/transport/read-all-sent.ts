import { ReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { endsWithin } from './time-limit.ts';

/** A peer that never stops sending is not read to its end. */
const MAX_BYTES = 4 << 20;
const MAX_MS = 500;

/**
 * Reads a stream until nothing is left of what its peer has sent so far, for the other listeners to its data. Resolves
 * with whether that was reached within the limits. `pause` is how long nothing may arrive until then: at least one look
 * for new data.
 */
export async function readAllSent(stream: Readable, pause: () => Promise<unknown> = turnsPassed): Promise<boolean> {
  let bytes = 0;
  let isIdle = false;
  let isTooLong = false;
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.length;
    isIdle = false;
  };
  const isOver = (): boolean => stream.readableEnded || stream.destroyed;
  const readOn = async (): Promise<void> => {
    while (!isOver() && !isTooLong && bytes <= MAX_BYTES) {
      isIdle = true;
      await pause();
      // A file is read by other threads, which may take longer. It always ends.
      if (isIdle && !(stream instanceof ReadStream)) return;
    }
  };
  stream.on('data', count);
  stream.resume();
  isTooLong = !(await endsWithin(readOn(), MAX_MS));
  stream.off('data', count);
  return isOver() || isIdle;
}

/** How often a peer that sends again is waited for. */
const MAX_ROUNDS = 5;

/** A peer that was waiting for space in a full pipe continues within this time. */
const BACK_MS = 10;
/** A peer that is sending continues within this time, also on a busy machine. */
const NEXT_MS = 50;

/**
 * Closes a stream after its peer has stopped sending. `close` returns false if the peer has sent more, which it then has
 * read; with `atOnce`, it closes the stream all the same. Resolves with whether everything was read.
 */
export async function closeWhenRead(stream: Readable, close: (atOnce: boolean) => boolean): Promise<boolean> {
  let pauseMs = BACK_MS;
  const slowDown = (): void => {
    pauseMs = NEXT_MS;
  };
  stream.on('data', slowDown);
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (!(await readAllSent(stream, () => new Promise((resolve) => setTimeout(resolve, pauseMs))))) break;
      if (close(false)) return true;
    }
    return close(true);
  } finally {
    stream.off('data', slowDown);
  }
}

/** Node looks for new data between two turns. */
async function turnsPassed(): Promise<void> {
  for (let turns = 0; turns < 2; turns++) await new Promise((resolve) => setImmediate(resolve));
}
