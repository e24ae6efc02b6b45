import type { Readable, Writable } from 'node:stream';

/** What a gate can do with the stream that it stands in. */
export interface RelayPassage {
  forward(bytes: Uint8Array): void;
  /** Nothing more is read until `resume`. */
  pause(): void;
  resume(): void;
}

/** The one place of a direction where bytes could be held: it is given each chunk, and passes it on when it sees fit. */
export interface Gate {
  take(chunk: Uint8Array): void;
  /** Nothing more comes. Resolves when everything was passed on that will be. */
  end?(): Promise<void>;
}

/** A gate that lets everything through at once and looks at it afterwards, with the time when it was read. */
export function openGate(
  nowMs: () => number,
  look: (chunk: Uint8Array, atMs: number) => void,
): (passage: RelayPassage) => Gate {
  return ({ forward }) => ({
    take(chunk) {
      const atMs = nowMs();
      // Forward first, look second: a slow or full recorder must never hold back the peer that waits for these bytes.
      forward(chunk);
      look(chunk, atMs);
    },
  });
}

/**
 * Carries bytes from one side to the other as they are, through a gate, and no faster than they are taken. Resolves when
 * the source has ended and the gate with it, or either side is gone.
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
    const take = (chunk: Uint8Array): void => gate.take(chunk);
    const finish = (): void => {
      from.off('data', take);
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
    from.on('data', take);
    from.once('end', end);
    from.once('close', end);
    from.once('error', end);
    // On every error, not the first alone: an unheard one would end the process.
    to.on('error', () => {
      // The reader left. Closing our end lets the writer find out, as with a bare pipe.
      from.destroy();
      finish();
    });
    to.once('close', finish);
  });
}
