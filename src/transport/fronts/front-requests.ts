import type { IncomingMessage } from 'node:http';
import type { FrontExchange } from './front-exchange.ts';
import type { BodyRead } from './request-body.ts';

/** What is asked for, without its query. */
export function pathOf(path: string): string {
  return path.split('?', 1)[0] ?? '';
}

export function queryOf(path: string): URLSearchParams {
  const at = path.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : path.slice(at + 1));
}

export function isJsonType({ headers }: IncomingMessage): boolean {
  return /^\s*application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
}

/** A header that can be there once. */
export function headerOf({ headers }: IncomingMessage, lowerName: string): string | undefined {
  const value = headers[lowerName];
  return typeof value === 'string' ? value : undefined;
}

/** Answers a request whose body is no message. */
export function unreadable(exchange: FrontExchange, { kind }: BodyRead): void {
  if (kind === 'too-long') exchange.refuse(413, -32000, 'Payload Too Large: longer than --max-message');
  else if (kind !== 'broken') exchange.refuse(400, -32700, 'Parse error: Invalid JSON-RPC message');
}
