import type { Readable, Writable } from 'node:stream';

/**
 * The one place of a direction where bytes could be held: it is given each chunk, and passes it on when it sees fit.
 */
export type Gate = (chunk: Uint8Array, forward: (bytes: Uint8Array) => void) => void;

/** A gate that lets everything through at once and looks at it afterwards, with the time when it was read. */
export function openGate(nowMs: () => number, look: (chunk: Uint8Array, atMs: number) => void): Gate {
  return (chunk, forward) => {
    const atMs = nowMs();
    // Forward first, look second: a slow or full recorder must never hold back the peer that waits for these bytes.
    forward(chunk);
    look(chunk, atMs);
  };
}

/**
 * Carries bytes from one side to the other as they are, through a gate, and no faster than they are taken. Resolves when
 * the source has ended, or either side is gone.
 */
export function relay(from: Readable, to: Writable, gate: Gate): Promise<void> {
  return new Promise((resolve) => {
    const forward = (bytes: Uint8Array): void => {
      if (to.write(bytes) || from.isPaused()) return;
      from.pause();
      to.once('drain', () => from.resume());
    };
    const take = (chunk: Uint8Array): void => gate(chunk, forward);
    const finish = (): void => {
      from.off('data', take);
      resolve();
    };
    if (from.readableEnded || from.destroyed) {
      resolve();
      return;
    }
    from.on('data', take);
    from.once('end', finish);
    from.once('close', finish);
    from.once('error', finish);
    // On every error, not the first alone: an unheard one would end the process.
    to.on('error', () => {
      // The reader left. Closing our end lets the writer find out, as with a bare pipe.
      from.destroy();
      finish();
    });
    to.once('close', finish);
  });
}
