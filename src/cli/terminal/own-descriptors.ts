import { closeSync, openSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { devNull } from 'node:os';
import type { Readable } from 'node:stream';

type OwnStdin = Readable & { readonly isTTY?: boolean };

/** What a pipe usually holds, and how many reads of it are enough for what a client sent last. */
const READ_BYTES = 64 << 10;
const MAX_READS = 8;

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
 * Closes stdin if the client has sent nothing more; otherwise passes that on to the listeners, and returns false. With
 * `atOnce`, it closes stdin in any case, and returns whether everything was read.
 */
export function closeStdin(stdin: OwnStdin, platform: string, atOnce: boolean): boolean {
  if (stdin.destroyed) return true;
  const isPipe = !stdin.isTTY && stdin instanceof Socket && platform !== 'win32';
  const mayHaveMore = isPipe && !stdin.readableEnded;
  if (mayHaveMore && !atOnce) {
    const more = readNow(0);
    for (const chunk of more) stdin.emit('data', chunk);
    if (more.length > 0) return false;
  }
  stdin.destroy();
  // Run once beforehand, the call takes microseconds, in which the client can hardly write.
  closeSync(openSync(devNull, 'r'));
  const rest = mayHaveMore ? readNow(0) : [];
  letGo(0);
  for (const chunk of rest) stdin.emit('data', chunk);
  return rest.length === 0;
}

/**
 * Reads a pipe, which Node has made non-blocking, until it is empty. The first attempt that fails takes Node 0.1 ms, in
 * which the client may write more; further ones take microseconds.
 */
function readNow(descriptor: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let failures = 0; failures < 3 && chunks.length < MAX_READS; ) {
    const chunk = Buffer.allocUnsafe(READ_BYTES);
    try {
      const size = readSync(descriptor, chunk);
      if (size === 0) break;
      chunks.push(chunk.subarray(0, size));
    } catch {
      failures++;
    }
  }
  return chunks;
}
