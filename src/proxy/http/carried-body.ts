import type { Readable, Writable } from 'node:stream';

/** Rewrites a body while it is forwarded. */
export interface BodyRewriter {
  /** Returns the bytes to forward for this chunk, possibly none yet. */
  push(chunk: Uint8Array): Uint8Array;
  /** Returns the remaining bytes to forward. */
  end(): Uint8Array;
}

/** Takes over chunks of a body instead of forwarding them directly. */
export interface BodySteering {
  /** Whether it has taken this chunk, and will forward it itself. */
  steers(chunk: Uint8Array): boolean;
}

/** Forwards a body chunk by chunk with backpressure, and records each chunk after it was forwarded. */
export function carryBody(
  from: Readable,
  to: Writable,
  look: (chunk: Uint8Array) => void,
  rewriter?: BodyRewriter | undefined,
  steering?: BodySteering | undefined,
): void {
  let isWatched = false;
  const goOn = (): void => void from.resume();
  from.on('data', (chunk: Uint8Array) => {
    if (steering?.steers(chunk)) return;
    const passed = rewriter === undefined ? chunk : rewriter.push(chunk);
    if (passed.length > 0 && !to.destroyed && !to.write(passed)) {
      from.pause();
      to.once('drain', goOn);
      // The receiver is gone. Without this, a client with more to send would wait forever.
      if (!isWatched) to.once('close', goOn);
      isWatched = true;
    }
    look(chunk);
  });
}
