import type { Place } from '../support/place.ts';

const START_MS = Date.parse('2026-03-04T10:00:00.000Z');

/** Builds the text of a trace, message by message. */
export class SampleTrace {
  readonly #lines: string[];
  #seq = 0;

  /** `header` adds to the default header. */
  constructor(header: Readonly<Record<string, unknown>> = {}) {
    const first = {
      v: 1,
      type: 'meta',
      startedAt: new Date(START_MS).toISOString(),
      label: 'files',
      command: ['node', 'files.js'],
      id: '550e8400-e29b-41d4-a716-446655440000',
      transport: 'stdio',
      metadata: {},
      ...header,
    };
    this.#lines = [JSON.stringify(first)];
  }

  /** Adds a message whose payload text is written to the trace unchanged. */
  text(dir: 'in' | 'out', atMs: number, payload: string, more: Readonly<Record<string, unknown>> = {}): this {
    const seq = this.#seq++;
    const head = JSON.stringify({ t: timeAt(atMs), dir, seq, id: `m${seq}`, ...more });
    this.#lines.push(`${head.slice(0, -1)},"raw":${payload}}`);
    return this;
  }

  message(dir: 'in' | 'out', atMs: number, payload: unknown, more: Readonly<Record<string, unknown>> = {}): this {
    return this.text(dir, atMs, JSON.stringify(payload), more);
  }

  stderr(atMs: number, text: string): this {
    return this.#event(atMs, 'stdio.stderr', { text });
  }

  /** Adds an action on the messages. */
  action(atMs: number, raw: unknown): this {
    return this.#event(atMs, 'mcpreel.action', raw);
  }

  #event(atMs: number, kind: string, raw: unknown): this {
    const seq = this.#seq++;
    this.#lines.push(JSON.stringify({ t: timeAt(atMs), type: 'event', dir: 'event', kind, seq, raw }));
    return this;
  }

  /** Adds a tool call and its response. */
  call(id: number, atMs: number, tool: string, args: unknown, result: unknown): this {
    this.message('in', atMs, { jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: args } });
    return this.message('out', atMs + 31, { jsonrpc: '2.0', id, ...(result as object) });
  }

  write(place: Place, name = 'trace.jsonl'): string {
    return place.write(name, `${this.#lines.join('\n')}\n`);
  }
}

function timeAt(atMs: number): string {
  return new Date(START_MS + atMs).toISOString();
}

/** A tool result with one text. */
export function said(text: string): unknown {
  return { result: { content: [{ type: 'text', text }] } };
}

/** A short session: a handshake, three calls of which one fails, and a line on stderr. */
export function shortSession(): SampleTrace {
  return new SampleTrace()
    .message('in', 1, { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} })
    .message('out', 32, { jsonrpc: '2.0', id: 0, result: {} })
    .message('in', 33, { jsonrpc: '2.0', method: 'notifications/initialized' })
    .call(1, 100, 'read_file', { path: '/etc/hosts' }, said('{"lines":[1,2],"title":"hosts"}'))
    .stderr(150, 'cache is cold')
    .call(2, 200, 'search', { q: 'needle' }, said('found nothing'))
    .call(3, 300, 'read_file', { path: '/missing' }, { error: { code: -32602, message: 'No such file' } });
}
