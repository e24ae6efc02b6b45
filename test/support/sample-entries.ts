import type { Direction, Entry, EventEntry, MessageEntry } from '../../src/model/entry.ts';

let sequence = 0;
const requested = new Map<number, string>();

/** Restarts the numbering of messages at 0. */
export function beginSession(): void {
  sequence = 0;
}

function message(text: string, more: Partial<MessageEntry> = {}): MessageEntry {
  const number = sequence++;
  const direction: Direction = 'client_to_server';
  return { kind: 'message', sequence: number, proxyId: `m${number}`, atMs: number * 10, direction, text, ...more };
}

export function request(id: number, tool: string): MessageEntry {
  const asks = message(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}"}}`);
  requested.set(id, asks.proxyId);
  return asks;
}

export function response(id: number, body = '"result":{}'): MessageEntry {
  return message(`{"jsonrpc":"2.0","id":${id},${body}}`, {
    direction: 'server_to_client',
    correlatedId: requested.get(id),
  });
}

export function event(name: string, raw = '{}'): EventEntry {
  return { kind: 'event', event: name, atMs: 0, raw };
}

/** This many calls, each with its response. */
export function calls(count: number, tool = 'search'): Entry[] {
  return Array.from({ length: count }, (_, id) => [request(id, tool), response(id)]).flat();
}
