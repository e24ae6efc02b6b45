/** Traces of any number of calls, in the shapes in which work has grown faster than the file. */

type Sent = (dir: 'in' | 'out', message: object, place?: { conversation?: number; exchange?: number }) => void;
type CallShape = (count: number, send: Sent) => void;

const request = (id: unknown, method: string, params: object = {}): object => ({ jsonrpc: '2.0', id, method, params });
const result = (id: unknown, value: object = {}): object => ({ jsonrpc: '2.0', id, result: value });
const notification = (method: string, params: object): object => ({ jsonrpc: '2.0', method, params });
const call = (id: unknown, more: object = {}): object =>
  request(id, 'tools/call', { name: 'echo', arguments: { text: `hello ${id}` }, ...more });
const answer = (id: unknown): object => result(id, { content: [{ type: 'text', text: `hello ${id}` }] });
const tool = (n: number): object => ({ name: `tool${n}`, inputSchema: { type: 'object', properties: { a: {} } } });

function times(count: number, work: (n: number) => void): void {
  for (let n = 0; n < count; n++) work(n);
}

/** The shapes that every analysis is tested with. */
export const CALL_SHAPES: Readonly<Record<string, CallShape>> = {
  'different ids': (count, send) =>
    times(count, (n) => {
      send('in', call(n));
      send('out', answer(n));
    }),
  'one id for all': (count, send) => {
    times(count, () => send('in', call(1)));
    times(count, () => send('out', answer(1)));
  },
  'cancelled calls': (count, send) => {
    times(count, (n) => {
      send('in', call(n));
      send('in', notification('notifications/cancelled', { requestId: n }));
    });
    times(count, (n) => send('out', answer(n)));
  },
  'pages of tools/list': (count, send) =>
    times(count, (n) => {
      send('in', request(n, 'tools/list', n === 0 ? {} : { cursor: `c${n}` }));
      send('out', result(n, { tools: [tool(n)], ...(n < count - 1 && { nextCursor: `c${n + 1}` }) }));
    }),
  'a conversation for each call': (count, send) =>
    times(count, (n) => {
      send('in', call(1), { conversation: n, exchange: n });
      send('out', answer(1), { conversation: n, exchange: n });
    }),
};

/** More shapes, for long runs. */
export const OTHER_SHAPES: Readonly<Record<string, CallShape>> = {
  'a call that is never answered': (count, send) => {
    send('in', call('first'));
    CALL_SHAPES['different ids']?.(count, send);
  },
  'no answers': (count, send) => times(count, (n) => send('in', call(n))),
  'answers without a call': (count, send) => times(count, (n) => send('out', answer(n))),
  'progress of one call': (count, send) => {
    send('in', call(0, { _meta: { progressToken: 'p' } }));
    times(count, (n) => send('out', notification('notifications/progress', { progressToken: 'p', progress: n })));
    send('out', answer(0));
  },
  'progress of many calls': (count, send) => {
    times(count, (n) => send('in', call(n, { _meta: { progressToken: `p${n}` } })));
    times(count, (n) => send('out', notification('notifications/progress', { progressToken: `p${n}`, progress: 1 })));
    times(count, (n) => send('out', answer(n)));
  },
  'the same list again': (count, send) =>
    times(count, (n) => {
      send('in', request(n, 'tools/list'));
      send('out', result(n, { tools: [tool(0), tool(1)] }));
    }),
  'one list of many tools': (count, send) => {
    send('in', request('list', 'tools/list'));
    send('out', result('list', { tools: Array.from({ length: count }, (_, n) => tool(n)) }));
    times(count, (n) => {
      send('in', request(n, 'tools/call', { name: `tool${n}`, arguments: { a: 1 } }));
      send('out', answer(n));
    });
  },
  'requests of the server': (count, send) =>
    times(count, (n) => {
      send('out', request(n, 'sampling/createMessage', { messages: [], maxTokens: 1 }));
      send('in', result(n, { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' }));
    }),
  'failing calls': (count, send) =>
    times(count, (n) => {
      send('in', call(n, { arguments: {} }));
      send('out', { jsonrpc: '2.0', id: n, error: { code: -32_602, message: `bad ${n}` } });
    }),
  tasks: (count, send) => {
    times(count, (n) => {
      send('in', call(`c${n}`, { task: { ttl: 60_000 } }));
      send('out', result(`c${n}`, { task: { taskId: `k${n}`, status: 'working' } }));
    });
    times(count, (n) => {
      send('in', request(`g${n}`, 'tasks/get', { taskId: `k${n}` }));
      send('out', result(`g${n}`, { taskId: `k${n}`, status: 'completed' }));
    });
  },
  'changed lists': (count, send) =>
    times(count, () => send('out', notification('notifications/tools/list_changed', {}))),
  'ids of one list': (count, send) => {
    const idOf = (n: number): string => `note-${(n * 2_654_435_761) % 4_294_967_296}`;
    send('in', call('list'));
    send('out', result('list', { content: [], notes: Array.from({ length: count }, (_, n) => ({ id: idOf(n) })) }));
    times(count, (n) => {
      send('in', call(n, { arguments: { id: idOf(n) } }));
      send('out', answer(n));
    });
  },
};

const START_MS = Date.UTC(2026, 2, 4);

/** The text of a trace of this shape. */
export function shapedTrace(shape: CallShape, count: number): string {
  let seq = 0;
  const timeAt = (ms: number): string => new Date(START_MS + ms).toISOString();
  const id = '5b1f7a52-6f0e-4c58-9a1e-0f6f2b7b8c11';
  const meta = { id, startedAt: timeAt(0), label: 'x', transport: 'stdio', command: ['node', 'server.js'] };
  const lines = [JSON.stringify({ v: 1, type: 'meta', ...meta })];
  const send: Sent = (dir, raw, { conversation, exchange } = {}) => {
    const http = exchange === undefined ? {} : { http: { exchange } };
    const conv = conversation === undefined ? {} : { conv: conversation };
    lines.push(JSON.stringify({ t: timeAt(seq), type: 'msg', dir, seq: seq++, id: `m${seq}`, ...conv, ...http, raw }));
  };
  const offer = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
  send('in', request('init', 'initialize', { ...offer, clientInfo: { name: 'c', version: '1' } }));
  send('out', result('init', { ...offer, serverInfo: { name: 's', version: '1' } }));
  send('in', notification('notifications/initialized', {}));
  shape(count, send);
  lines.push(JSON.stringify({ t: timeAt(seq), type: 'end', exitCode: 0, durationMs: seq }));
  return `${lines.join('\n')}\n`;
}
