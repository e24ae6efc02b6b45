import type { IncomingMessage } from 'node:http';
import type { BodyBudget } from '../http/body-budget.ts';

/** The result of reading a body. */
export type BodyRead = { readonly size: number } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too-long' | 'too-many' | 'binary' | 'broken' }
);

/** Reads a complete request body of at most `limit` bytes. All bodies together must fit into the budget. */
export function readBody(request: IncomingMessage, limit: number, budget?: BodyBudget): Promise<BodyRead> {
  let release: (() => void) | undefined;
  const read = new Promise<BodyRead>((resolve) => {
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
    release = budget?.count(request, () => {
      request.pause();
      resolve({ kind: 'too-many', size });
    });
  });
  // The message is forwarded in the same turn in which the body is complete.
  void read.then(() => setImmediate(() => release?.()));
  return read;
}

function decoded(bytes: Buffer): { kind: 'text'; text: string } | { kind: 'binary' } {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { kind: 'binary' };
  }
}
