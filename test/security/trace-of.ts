interface CallSample {
  readonly tools: readonly object[];
  readonly args: object;
}

/** A trace in which a server lists these tools, and a client calls `t` with these arguments. */
export function traceOf({ tools, args }: CallSample): string {
  const at = '2026-01-02T03:04:05.000Z';
  const message = (seq: number, dir: 'in' | 'out', raw: object): object => ({
    t: at,
    dir,
    seq,
    id: `m${seq}`,
    raw: { jsonrpc: '2.0', ...raw },
  });
  const lines = [
    {
      v: 1,
      type: 'meta',
      startedAt: at,
      label: 'x',
      command: ['node', 'x.js'],
      id: 'abcd1234-0000-4000-8000-000000000000',
      transport: 'stdio',
      metadata: {},
    },
    message(0, 'in', { id: 1, method: 'tools/list' }),
    message(1, 'out', { id: 1, result: { tools } }),
    message(2, 'in', { id: 2, method: 'tools/call', params: { name: 't', arguments: args } }),
    message(3, 'out', { id: 2, result: { content: [], structuredContent: args } }),
    { t: at, type: 'end', exitCode: 0, durationMs: 1 },
  ];
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}
