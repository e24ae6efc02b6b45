import type { IncomingMessage } from 'node:http';
import type { BodyBudget } from '../http/body-budget.ts';

/** The result of reading a body. It counts as waiting until it is released. */
export type BodyRead = { readonly size: number; readonly release: () => void } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too-long' | 'too-many' | 'binary' | 'broken' }
);

/** Reads a complete request body of at most `limit` bytes. All bodies together must fit into the budget. */
export function readBody(request: IncomingMessage, limit: number, budget?: BodyBudget): Promise<BodyRead> {
  return new Promise<BodyRead>((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        request.pause();
        resolve({ kind: 'too-long', size, release });
      }
    });
    request.once('end', () => resolve({ ...decoded(Buffer.concat(chunks)), size, release }));
    request.once('close', () => resolve({ kind: 'broken', size, release }));
    const counted = budget?.count(request, () => {
      request.pause();
      resolve({ kind: 'too-many', size, release });
    });
    const release = (): void => counted?.release();
  });
}

function decoded(bytes: Buffer): { kind: 'text'; text: string } | { kind: 'binary' } {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { kind: 'binary' };
  }
}
