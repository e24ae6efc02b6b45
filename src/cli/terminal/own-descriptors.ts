import { closeSync, openSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { devNull } from 'node:os';
import type { Readable } from 'node:stream';

type OwnStdin = Readable & { readonly isTTY?: boolean };

/** What a pipe usually holds, so that two reads are enough for what a client sent last. */
const READ_BYTES = 64 << 10;
const MAX_READS = 2;

/**
 * Closes the descriptor itself. Node keeps the first descriptors open when their streams close, so the peer would not
 * notice.
 */
export function letGo(descriptor: 0 | 1): void {
  try {
    closeSync(descriptor);
    // Reserves the number, so that no file opened later is mistaken for stdin or stdout.
    openSync(devNull, 'r+');
  } catch {
    // It was closed before mcpreel started.
  }
}

/**
 * Closes stdin at once, after its listeners have received what the client sent since Node looked for the last time.
 * Returns false if the client sends faster than that can be read.
 */
export function closeStdin(stdin: OwnStdin, platform: string): boolean {
  if (stdin.destroyed) return true;
  const isPipe = !stdin.isTTY && stdin instanceof Socket && platform !== 'win32';
  const mayHaveMore = isPipe && !stdin.readableEnded;
  stdin.destroy();
  const rest = mayHaveMore ? readNow(0) : [];
  letGo(0);
  for (const chunk of rest) stdin.emit('data', chunk);
  return rest.length < MAX_READS;
}

/**
 * Reads what a pipe holds. Node has made it non-blocking. The first attempt that fails takes Node 0.1 ms, in which the
 * client may write more; further ones take microseconds.
 */
function readNow(descriptor: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let failures = 0; failures < 3; failures++) {
    try {
      while (chunks.length < MAX_READS) {
        const chunk = Buffer.allocUnsafe(READ_BYTES);
        const size = readSync(descriptor, chunk);
        if (size === 0) break;
        chunks.push(chunk.subarray(0, size));
      }
    } catch {
      // Nothing is left.
    }
  }
  return chunks;
}
