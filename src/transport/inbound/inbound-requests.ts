import type { IncomingMessage } from 'node:http';
import { RETRY_AFTER } from '../http/body-budget.ts';
import type { InboundExchange } from './inbound-exchange.ts';
import type { BodyRead } from './request-body.ts';

/** The path of an inbound HTTP request, without its query. */
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

/** Whether a request accepts a media type by its name. A weight of 0 refuses it. */
export function acceptsType({ headers }: IncomingMessage, type: string): boolean {
  return (headers.accept ?? '').split(',').some((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    return name === type && !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
  });
}

/** A header that occurs at most once. */
export function headerOf({ headers }: IncomingMessage, lowerName: string): string | undefined {
  const value = headers[lowerName];
  return typeof value === 'string' ? value : undefined;
}

/** Error codes that MCP servers use to refuse HTTP requests. */
export const REFUSED = -32000;
const PARSE_ERROR = -32700;
const SESSION_NOT_FOUND = -32001;

/** Refuses a request whose body is not a JSON-RPC message. */
export function refuseBody(exchange: InboundExchange, { kind }: BodyRead): void {
  if (kind === 'too-long') {
    exchange.refuse(413, { code: REFUSED, message: 'Payload Too Large: longer than --max-message' });
  } else if (kind === 'too-many') {
    refuseForNow(exchange);
  } else if (kind !== 'broken') {
    exchange.refuse(400, { code: PARSE_ERROR, message: 'Parse error: Invalid JSON-RPC message' });
  }
}

/** Refuses a request for which there is no room now. */
export function refuseForNow(exchange: InboundExchange): void {
  exchange.refuse(503, { code: REFUSED, message: 'Service Unavailable: try again later', headers: RETRY_AFTER });
}

/** Refuses a request whose `Content-Type` is not JSON. */
export function refuseType(exchange: InboundExchange): void {
  const message = 'Unsupported Media Type: Content-Type must be application/json';
  exchange.refuse(415, { code: REFUSED, message });
}

/** Refuses a request that names an unknown or ended conversation. */
export function refuseSession(exchange: InboundExchange): void {
  exchange.refuse(404, { code: SESSION_NOT_FOUND, message: 'Session not found' });
}

/** Refuses a request with a method that is not served, and lists the allowed ones. */
export function refuseMethod(exchange: InboundExchange, allowed: string): void {
  exchange.refuse(405, { code: REFUSED, message: 'Method Not Allowed', headers: ['Allow', allowed] });
}
