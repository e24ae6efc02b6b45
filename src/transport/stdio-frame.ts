import type { DecodedLine } from '../json/lines.ts';
import { objectsOf, type RpcBody } from '../protocol/rpc-body.ts';
import { isBlank, type LongLine } from './bounded-lines.ts';

/** A classified line of a stdio stream. */
export type StdioFrame =
  | RpcBody
  | { readonly kind: 'noise'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array }
  | ({ readonly kind: 'long' } & LongLine);

/** Classifies a line of a stdio stream: a message, a batch, or other output. `undefined` for a blank line. */
export function frameOf(line: DecodedLine | LongLine): StdioFrame | undefined {
  if ('text' in line) return frameOfText(line.text);
  return 'sha256' in line ? { kind: 'long', ...line } : { kind: 'binary', bytes: line.bytes };
}

function frameOfText(line: string): StdioFrame | undefined {
  const frame = objectsOf(line);
  if (frame !== undefined || isBlank(line)) return frame;
  return { kind: 'noise', text: line.replace(/\r$/, '') };
}
