import { readFileSync } from 'node:fs';

/** The example session file from the format's description. */
export const seedExample: string = readFileSync(
  new URL('../corpus/session-file/seed-example.json', import.meta.url),
  'utf8',
);

/** Contains a number beyond 2^53, one that overflows, an escape and a `__proto__` key: no parser would preserve it. */
export const EXACT_TEXT =
  '{"jsonrpc":"2.0","id":12345678901234567890,"method":"x","params":{"b":1.0,"a":"\\u00e9","__proto__":{"y":1e400}}}';

/** A message of a session file; `payload` is its exact text. */
export interface SessionMessage {
  readonly payload: string;
  /** `>` from the client (default), or `<` from the server. */
  readonly from?: '>' | '<';
  /** Further members, as JSON text inside the object. */
  readonly more?: string;
}

/** The text of a session file with these messages, which are named msg-001, msg-002 … and are one second apart. */
export function sessionText(messages: readonly SessionMessage[], more = ''): string {
  const texts = messages.map(({ payload, from = '>', more: extra = '' }, index) => {
    const direction = from === '>' ? 'client_to_server' : 'server_to_client';
    const id = `msg-${String(index + 1).padStart(3, '0')}`;
    const time = new Date(Date.UTC(2026, 2, 4, 10, 0, index + 1)).toISOString().replace('.000Z', '+00:00');
    return `    {
      "proxy_id": "${id}", "sequence": ${index}, "timestamp": "${time}", "direction": "${direction}",
      "payload": ${payload}${extra && `, ${extra}`}
    }`;
  });
  return `{
  "id": "550e8400-e29b-41d4-a716-446655440000",
  "started_at": "2026-03-04T10:00:00+00:00",
  "ended_at": "2026-03-04T10:05:30+00:00",
  "transport": "stdio",
  "server_command": "python my_server.py",
  "server_url": null,
  "messages": [
${texts.join(',\n')}
  ],
  "metadata": {}${more && `,\n  ${more}`}
}
`;
}

/** Requests to the server with ids from 1. */
export function pings(count: number): SessionMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    payload: `{"jsonrpc":"2.0","id":${index + 1},"method":"ping"}`,
  }));
}

/** A client's call of a tool. */
export function call(id: number, tool: string): SessionMessage {
  return {
    payload: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${JSON.stringify({ name: tool, arguments: {} })}}`,
  };
}

/** The server's answer to a call. */
export function answer(id: number, result = '{"content":[]}'): SessionMessage {
  return { from: '<', payload: `{"jsonrpc":"2.0","id":${id},"result":${result}}` };
}
