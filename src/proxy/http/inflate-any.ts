import type { Transform } from 'node:stream';
import zlib from 'node:zlib';

/** The compression method of the zlib format. */
const DEFLATE = 8;

/**
 * Decodes `deflate`, which means the zlib format. Many senders leave out its header, and many receivers accept that, so
 * the first byte decides.
 */
export function createInflateAny([first = 0]: Uint8Array): Transform {
  return (first & 0x0f) === DEFLATE ? zlib.createInflate() : zlib.createInflateRaw();
}
