import type { RecordedSession } from '../../../src/model/session.ts';
import type { ReplayResult } from '../../../src/replay/judge/replay-result.ts';
import type { ReplayOptions } from '../../../src/replay/replay-options.ts';
import { replaySession } from '../../../src/replay/replay-session.ts';
import { depsFor, type InProcess, REPLAY_OPTIONS } from './sample-talk.ts';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
/** The response to `initialize`. */
export const HELLO = {
  jsonrpc: '2.0',
  id: 0,
  result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } },
};
/** The messages that open a session. */
export const HANDSHAKE: readonly (string | object)[] = ['>', INITIALIZE, '<', HELLO, '>', INITIALIZED];

/** A message that a sample server receives. */
export interface Requested {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A server that answers initialize, and everything else with the given handler. */
export function server(
  answer: (requested: Requested, say: (message: object) => void, end: (code: number) => void) => void,
): InProcess {
  return (say, end) => (line) => {
    const requested = JSON.parse(line) as Requested;
    if (requested.method === 'initialize') say({ ...HELLO, id: requested.id });
    else if (requested.method !== 'notifications/initialized') answer(requested, say, end);
  };
}

/** Replays a session against a sample server. */
export async function replayed(
  session: RecordedSession,
  serve: InProcess,
  options: Partial<ReplayOptions> = {},
): Promise<{ results: readonly ReplayResult[]; notes: readonly string[]; verdicts: readonly string[] }> {
  const deps = depsFor(serve);
  const results = await replaySession(session, { ...REPLAY_OPTIONS, ...options }, deps);
  return { results, notes: deps.notes, verdicts: results.map(({ verdict }) => verdict) };
}

export function call(id: number, name: string, args: object = {}, meta?: object): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, ...(meta && { _meta: meta }) } };
}

export function text(id: number, sent: string): object {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: sent }] } };
}
