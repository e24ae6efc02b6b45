import type { IncomingMessage } from 'node:http';

/** The result of reading a body. */
export type BodyRead = { readonly size: number } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too-long' | 'binary' | 'broken' }
);

/** Reads a complete request body of at most `limit` bytes. */
export function readBody(request: IncomingMessage, limit: number): Promise<BodyRead> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        request.pause();
        resolve({ kind: 'too-long', size });
      }
    });
    request.once('end', () => resolve({ ...decoded(Buffer.concat(chunks)), size }));
    request.once('close', () => resolve({ kind: 'broken', size }));
  });
}

function decoded(bytes: Buffer): { kind: 'text'; text: string } | { kind: 'binary' } {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { kind: 'binary' };
  }
}
