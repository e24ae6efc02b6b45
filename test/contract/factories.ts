import type { Entry, EventEntry, MessageEntry, OtherEntry } from '../../src/model/entry.ts';
import type { RecordedSession, SessionFooter, SessionHeader } from '../../src/model/session.ts';
import { readEnvelope } from '../../src/protocol/envelope.ts';
import { Pairing } from '../../src/protocol/pairing.ts';

/** The base of the factories' times. */
export const NOON_MS: number = Date.UTC(2026, 2, 4, 12);

/** A message; by default a request to the server. */
export function message(parts: Partial<MessageEntry> = {}): MessageEntry {
  return {
    kind: 'message',
    sequence: 0,
    proxyId: 'msg-001',
    atMs: NOON_MS,
    direction: 'client_to_server',
    text: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    ...parts,
  };
}

/** A response of the server to request 1. */
export function response(parts: Partial<MessageEntry> = {}): MessageEntry {
  return message({ direction: 'server_to_client', text: '{"jsonrpc":"2.0","id":1,"result":{}}', ...parts });
}

export function event(parts: Partial<EventEntry> = {}): EventEntry {
  return { kind: 'event', event: 'stdio.stderr', atMs: NOON_MS, raw: '{"text":"ready"}', ...parts };
}

/** A record type that exists only in traces, with the time that its text contains. */
export function other(parts: Partial<OtherEntry> = {}): OtherEntry {
  const atMs = parts.atMs ?? NOON_MS;
  const text = `{"t":"${new Date(atMs).toISOString()}","type":"turn","role":"user","blocks":[]}`;
  return { kind: 'other', type: 'turn', atMs, text, ...parts };
}

export function header(parts: Partial<SessionHeader> = {}): SessionHeader {
  return {
    id: '550e8400-e29b-41d4-a716-446655440000',
    startedAtMs: NOON_MS,
    label: 'my_server',
    transport: 'stdio',
    command: ['python', '-m', 'my_server'],
    url: undefined,
    metadata: '{}',
    ...parts,
  };
}

export function footer(parts: Partial<SessionFooter> = {}): SessionFooter {
  return { endedAtMs: NOON_MS + 30_000, exitCode: 0, durationMs: 30_000, ...parts };
}

/** A session in memory with numbered messages; responses are paired with requests by id. */
export function session(
  entries: readonly Entry[],
  parts: { readonly header?: SessionHeader; readonly footer?: SessionFooter | undefined } = {},
): RecordedSession {
  const numbered = inOrder(entries);
  return {
    format: 'memory',
    header: parts.header ?? header(),
    footer: parts.footer,
    async *batches() {
      yield numbered;
    },
  };
}

function inOrder(entries: readonly Entry[]): Entry[] {
  const pairing = new Pairing();
  let sequence = 0;
  return entries.map((entry) => {
    if (entry.kind !== 'message') return entry;
    const paired = pairing.match(entry, readEnvelope(entry.text));
    const { correlatedId = paired, ...rest } = entry;
    return { ...rest, sequence: sequence++, ...(correlatedId !== undefined && { correlatedId }) };
  });
}

/** A session with one entry of every kind in the model. */
export function fullSession(): RecordedSession {
  const modified = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"q":"new"}}}';
  return session(
    [
      event({ raw: '{"text":"starting – ✓"}' }),
      message({ proxyId: 'a', text: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}' }),
      response({ proxyId: 'b', atMs: NOON_MS + 1 }),
      other({ atMs: NOON_MS + 2 }),
      message({
        proxyId: 'c',
        atMs: NOON_MS + 3,
        text: modified,
        modified: true,
        original: modified.replace('new', 'old'),
      }),
      event({
        event: 'http.exchange',
        raw: '{"exchange":3,"status":200}',
        conversation: 2,
        keepsakes: { trace: '{"_seq":4}', transcript: '{}' },
      }),
      response({
        proxyId: 'd',
        atMs: NOON_MS + 4,
        text: '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}',
        http: '{"exchange":3}',
        sse: '{"event":"message","id":"evt-10"}',
        keepsakes: {
          session: '{"note":"by hand"}',
          trace: '{"ai":{"risk":0.10},"attest":null}',
          transcript: '{"transport_context":{"status":200}}',
        },
      }),
      message({ proxyId: 'e', text: '{"jsonrpc":"2.0","id":2,"method":"ping"}', conversation: 2 }),
      message({
        proxyId: 'f',
        text: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        batch: '{"frame":5,"index":0,"of":2}',
        sentText: 'no { JSON \r\n\u2028',
      }),
      message({ proxyId: 'g', text: '{"jsonrpc":"2.0","id":"9","method":"x"}', dropped: true }),
      message({ proxyId: 'h', text: '{"jsonrpc":"2.0","id":9,"method":"x"}', injected: true }),
      event({ atMs: NOON_MS + 9, event: 'mcpreel.gap', raw: '{"missed":12,"why":"disk full"}' }),
    ],
    {
      header: header({
        label: 'demo',
        metadata: '{"target":"example-server","é":[1.0]}',
        keepsakes: { session: '{"tool":"x"}', trace: '{"kind":"mcp","producer":{"name":"mcpreel"}}' },
      }),
      footer: footer({ exitCode: 143, signal: 'SIGTERM', keepsakes: { trace: '{"cpuMs":12}' } }),
    },
  );
}
