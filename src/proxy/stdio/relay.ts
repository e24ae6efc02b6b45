import type { Readable, Writable } from 'node:stream';
import { readAllSent } from '../../transport/read-all-sent.ts';

const LINE_FEED = 0x0a;

/** A source that sends more than this to a receiver that is gone is closed, so that it notices. */
const MAX_UNSENT_BYTES = 4 << 20;
const MAX_UNSENT_LINES = 20_000;

/** What a gate can do with its stream. */
export interface RelayPassage {
  forward(bytes: Uint8Array): void;
  /** Stops reading until `resume`. */
  pause(): void;
  resume(): void;
}

/** Receives each chunk of one direction, and decides when to forward it. */
export interface Gate {
  /** Listens to the stream itself, so it must not depend on `this`. */
  readonly take: (chunk: Uint8Array) => void;
  /** The stream has ended. Resolves when everything was forwarded. */
  end?(): Promise<void>;
  /**
   * The receiver is gone, and nothing can be forwarded any more. Returns what takes the chunks from now on; without it,
   * they are not read.
   */
  receiverLeft?(): (chunk: Uint8Array) => void;
}

/** Records what a gate forwards unchanged. */
export interface ForwardedCopy {
  /** Whether it must have a chunk before that is forwarded. Otherwise it gets the chunk afterwards. */
  readonly goesFirst: boolean;
  /** `atMs` is the time when the chunk was read. */
  push(chunk: Uint8Array, atMs: number): void;
}

/** Forwards bytes and records them, in the order that the copy needs. */
export function forwardAndCopy(
  bytes: Uint8Array,
  atMs: number,
  forward: (bytes: Uint8Array) => void,
  copy: ForwardedCopy,
): void {
  if (copy.goesFirst) copy.push(bytes, atMs);
  forward(bytes);
  // A recorder that is slow must not delay the peer that waits for these bytes.
  if (!copy.goesFirst) copy.push(bytes, atMs);
}

/** A gate that forwards every chunk at once. */
export function openGate(nowMs: () => number, copy: ForwardedCopy): (passage: RelayPassage) => Gate {
  return ({ forward }) => ({
    take: (chunk) => forwardAndCopy(chunk, nowMs(), forward, copy),
    receiverLeft: () => (chunk) => copy.push(chunk, nowMs()),
  });
}

/**
 * Forwards bytes unchanged from a readable to a writable through a gate, with backpressure. Resolves when the source
 * and the gate have ended, or when either side is gone. What the source sends to a receiver that is gone still passes
 * through the gate, which can record it.
 */
export function relay(
  from: Readable,
  to: Writable,
  gateIn: (passage: RelayPassage) => Gate,
  closeSource: (atOnce: boolean) => void = (atOnce) => {
    if (atOnce) from.destroy();
    else void readAllSent(from).then(() => from.destroy());
  },
): Promise<void> {
  return new Promise((resolve) => {
    let isFull = false;
    let isPaused = false;
    let isAlone = false;
    const goOn = (): void => {
      if (isAlone || (!isFull && !isPaused)) from.resume();
    };
    const gate = gateIn({
      forward(bytes) {
        if (isAlone || to.write(bytes) || isFull) return;
        isFull = true;
        from.pause();
        to.once('drain', () => {
          isFull = false;
          goOn();
        });
      },
      pause() {
        isPaused = true;
        if (!isAlone) from.pause();
      },
      resume() {
        isPaused = false;
        goOn();
      },
    });
    const finish = (): void => {
      from.off('data', gate.take);
      resolve();
    };
    let hasEnded = false;
    const end = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      if (gate.end === undefined) finish();
      else void gate.end().then(finish);
    };
    const receiverLeft = (): void => {
      if (isAlone) return;
      isAlone = true;
      finish();
      if (gate.receiverLeft === undefined || hasEnded) return;
      const take = gate.receiverLeft();
      let [bytes, lines] = [0, 0];
      from.on('data', (chunk: Uint8Array) => {
        take(chunk);
        bytes += chunk.length;
        for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, end + 1)) lines++;
        if (bytes > MAX_UNSENT_BYTES || lines > MAX_UNSENT_LINES) closeSource(true);
      });
      from.resume();
    };
    if (from.readableEnded || from.destroyed) {
      end();
      return;
    }
    from.on('data', gate.take);
    from.once('end', end);
    from.once('close', end);
    from.once('error', end);
    // Listens for every error, not only the first: an error without a listener would end the process.
    to.on('error', () => {
      receiverLeft();
      // Destroying the source lets the writer notice, as with a plain pipe.
      closeSource(false);
    });
    to.once('close', receiverLeft);
    if (to.destroyed || to.writableEnded) receiverLeft();
  });
}
