import type { Entry, EventEntry, MessageEntry } from '../../src/model/entry.ts';
import type { RecordedSession } from '../../src/model/session.ts';
import { event, footer, message, NOON_MS, session } from '../contract/factories.ts';

type Json = Readonly<Record<string, unknown>>;
type Parts = Partial<MessageEntry>;

/** A message from a client, with `"jsonrpc":"2.0"` added. */
export function client(payload: Json, parts: Parts = {}): MessageEntry {
  return message({ direction: 'client_to_server', text: JSON.stringify({ jsonrpc: '2.0', ...payload }), ...parts });
}

/** A message from a server. */
export function server(payload: Json, parts: Parts = {}): MessageEntry {
  return client(payload, { direction: 'server_to_client', ...parts });
}

/** A client's request and its response. */
export function ask(id: number, method: string, params: Json, result: Json, parts: Parts = {}): MessageEntry[] {
  return [client({ id, method, params }, parts), server({ id, result }, parts)];
}

export interface Hands {
  readonly revision?: string;
  readonly client?: Json;
  readonly server?: Json;
}

const ALL = { tools: {}, prompts: {}, resources: {}, logging: {} };

/** A handshake with id 0, after which every message is allowed. */
export function handshake({ revision = '2025-11-25', ...hands }: Hands = {}, parts: Parts = {}): MessageEntry[] {
  const capabilities = { sampling: {}, elicitation: {}, roots: {} };
  return [
    ...ask(
      0,
      'initialize',
      { protocolVersion: revision, capabilities: hands.client ?? capabilities },
      { protocolVersion: revision, capabilities: hands.server ?? ALL },
      parts,
    ),
    client({ method: 'notifications/initialized' }, parts),
  ];
}

/** The params of a request in revision 2026-07-28. */
export function modern(params: Json = {}, capabilities: Json | undefined = {}): Json {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    ...(capabilities && { 'io.modelcontextprotocol/clientCapabilities': capabilities }),
  };
  return { ...params, _meta: meta };
}

export function noise(text: string, dir = 'out'): EventEntry {
  return event({ event: 'stdio.noise', raw: JSON.stringify({ dir, text }) });
}

export function gap(why: string): EventEntry {
  return event({ event: 'mcpreel.gap', raw: JSON.stringify({ missed: 1, why }) });
}

export interface ExchangeParts extends Json {
  readonly requestHeaders?: readonly (readonly [string, string])[];
  readonly responseHeaders?: readonly (readonly [string, string])[];
}

/** An HTTP exchange with its messages. */
export function exchange(number: number, parts: ExchangeParts, sent: readonly MessageEntry[] = []): Entry[] {
  const raw = {
    exchange: number,
    method: 'POST',
    path: '/mcp',
    status: 200,
    requestHeaders: [],
    responseHeaders: [],
    error: null,
    ...parts,
  };
  const conversation = sent[0]?.conversation;
  const end = event({ event: 'http.exchange', raw: JSON.stringify(raw), conversation });
  return [...sent.map((entry) => ({ ...entry, http: `{"exchange":${number}}` })), end];
}

export function tool(name: string, inputSchema: Json = { type: 'object' }, more: Json = {}): Json {
  return { name, inputSchema, ...more };
}

export function list(id: number, ...tools: Json[]): MessageEntry[] {
  return ask(id, 'tools/list', {}, { tools });
}

export function call(id: number, name: string, args: Json, result: Json): MessageEntry[] {
  return ask(id, 'tools/call', { name, arguments: args }, { content: [], ...result });
}

/** A complete session with these entries, one millisecond apart. */
export function ended(...entries: readonly (Entry | readonly Entry[])[]): RecordedSession {
  return session(inTime(entries.flat()), { footer: footer() });
}

/** A trace that is cut off after these entries. */
export function running(...entries: readonly (Entry | readonly Entry[])[]): RecordedSession {
  return { ...session(inTime(entries.flat())), format: 'trace' };
}

function inTime(entries: readonly Entry[]): Entry[] {
  return entries.map((entry, n) => ({
    ...entry,
    atMs: NOON_MS + n,
    ...(entry.kind === 'message' && { proxyId: `m${n}` }),
  }));
}
