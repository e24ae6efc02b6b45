import type { Readable, Writable } from 'node:stream';

/**
 * Carries bytes from one side to the other as they are, and lets `look` see each chunk once it is on its way.
 * Resolves when the source has ended, or either side is gone.
 */
export function relay(from: Readable, to: Writable, look: (chunk: Uint8Array) => void): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      from.off('data', forward);
      resolve();
    };
    const forward = (chunk: Uint8Array): void => {
      // Forward first, look second: a slow or full recorder must never hold back the peer that waits for these bytes.
      const mayGoOn = to.write(chunk);
      if (!mayGoOn) {
        from.pause();
        to.once('drain', () => from.resume());
      }
      look(chunk);
    };
    from.on('data', forward);
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
