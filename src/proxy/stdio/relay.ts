import type { Readable, Writable } from 'node:stream';

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
}

/** Records what a gate has forwarded unchanged. */
export interface ForwardedCopy {
  /** `atMs` is the time when the chunk was read. */
  push(chunk: Uint8Array, atMs: number): void;
}

/** A gate that forwards every chunk at once and then records it. */
export function openGate(nowMs: () => number, copy: ForwardedCopy): (passage: RelayPassage) => Gate {
  return ({ forward }) => ({
    take(chunk) {
      const atMs = nowMs();
      // Forward first, record second: a slow recorder must never delay the peer that waits for these bytes.
      forward(chunk);
      copy.push(chunk, atMs);
    },
  });
}

/**
 * Forwards bytes unchanged from a readable to a writable through a gate, with backpressure. Resolves when the source
 * and the gate have ended, or when either side is gone.
 */
export function relay(from: Readable, to: Writable, gateIn: (passage: RelayPassage) => Gate): Promise<void> {
  return new Promise((resolve) => {
    let isFull = false;
    let isPaused = false;
    const goOn = (): void => {
      if (!isFull && !isPaused) from.resume();
    };
    const gate = gateIn({
      forward(bytes) {
        if (to.write(bytes) || isFull) return;
        isFull = true;
        from.pause();
        to.once('drain', () => {
          isFull = false;
          goOn();
        });
      },
      pause() {
        isPaused = true;
        from.pause();
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
      // The reader left. Destroying the source lets the writer notice, as with a plain pipe.
      from.destroy();
      finish();
    });
    to.once('close', finish);
  });
}
