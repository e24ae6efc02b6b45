import type { Readable, Writable } from 'node:stream';

/** Changes a body on its way. */
export interface BodyRewriter {
  /** What is passed on in place of this chunk, which may be nothing for now. */
  push(chunk: Uint8Array): Uint8Array;
  /** What is left to be passed on. */
  end(): Uint8Array;
}

/** Takes chunks of a body out of the common way, for as long as it wants to. */
export interface BodySteering {
  /** Whether it has taken this chunk, and passes it on when it sees fit. */
  steers(chunk: Uint8Array): boolean;
}

/** Carries a body chunk by chunk, no faster than it is taken, and shows each chunk once it was passed on. */
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
      // Nobody takes it any more; a client that has more to send would wait for ever.
      if (!isWatched) to.once('close', goOn);
      isWatched = true;
    }
    look(chunk);
  });
}
