import type { Call } from '../../../src/analysis/calls/call.ts';
import type { MessageEntry } from '../../../src/model/entry.ts';

/** A message for tests; only its text matters. */
export function sampleMessage(text: string, over: Partial<MessageEntry> = {}): MessageEntry {
  return { kind: 'message', sequence: 0, proxyId: 'm', atMs: 0, direction: 'client_to_server', text, ...over };
}

/** A successful call for tests, with the given fields replaced. */
export function sampleCall(over: Partial<Call> = {}): Call {
  return {
    request: sampleMessage('{}'),
    method: 'ping',
    name: undefined,
    direction: 'client_to_server',
    conversation: 0,
    status: 'ok',
    answer: sampleMessage('{}', { sequence: 1, direction: 'server_to_client' }),
    durationMs: 0,
    spanMs: 0,
    humanMs: 0,
    refusedWith: undefined,
    rounds: [],
    progress: [],
    noticeMarks: [],
    logs: [],
    nested: [],
    cancelledBy: undefined,
    supersededBy: undefined,
    task: undefined,
    taskOutcome: undefined,
    origin: undefined,
    isProbe: false,
    size: { sent: 0, received: 0 },
    ...over,
  };
}

export function toolCall(name: string, over: Partial<Call> = {}): Call {
  return sampleCall({ method: 'tools/call', name, ...over });
}

/** A tools/list call: one page, or one of several. */
export function toolList(
  tools: readonly { readonly name: string; readonly description?: string }[],
  { cursor, nextCursor, ...over }: Partial<Call> & { readonly cursor?: string; readonly nextCursor?: string } = {},
): Call {
  return sampleCall({
    method: 'tools/list',
    request: sampleMessage(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor } })),
    answer: sampleMessage(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools, nextCursor } })),
    ...over,
  });
}
