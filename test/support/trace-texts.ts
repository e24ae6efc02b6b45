/** The properties of a trace that a test sets. */
export interface TraceShape {
  readonly id?: string;
  readonly label?: string;
  readonly startedAt?: string;
  /** The numbers of its entries, all requests: from the first up to but not including the last. */
  readonly entries?: readonly [from: number, to: number];
  /** Further members of the meta line. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Members of the end line; without them there is no end line. */
  readonly end?: Readonly<Record<string, unknown>> | undefined;
}

export const SESSION_ID = 'abcd1234-0000-4000-8000-000000000000';

/** The text of a trace as mcpreel writes it. */
export function traceText(shape: TraceShape = {}): string {
  const { id = SESSION_ID, label = 'fs', startedAt = '2026-03-04T10:00:00.000Z', entries = [0, 2], end } = shape;
  const meta = {
    v: 1,
    type: 'meta',
    startedAt,
    label,
    command: ['node', 'fs.js'],
    id,
    transport: 'stdio',
    metadata: {},
  };
  const lines = [JSON.stringify({ ...meta, ...shape.meta })];
  for (let seq = entries[0]; seq < entries[1]; seq++) lines.push(entryLine(seq, startedAt));
  if (end !== undefined)
    lines.push(
      JSON.stringify({ t: timeOf(entries[1], startedAt), type: 'end', exitCode: 0, durationMs: 1000, ...end }),
    );
  return `${lines.join('\n')}\n`;
}

/** The text of one part of a rotated trace. */
export function partText(part: number, entries: readonly [from: number, to: number], shape: TraceShape = {}): string {
  return traceText({ ...shape, entries, meta: { ...shape.meta, part, before: entries[0] } });
}

function entryLine(seq: number, startedAt: string): string {
  const raw = { jsonrpc: '2.0', id: seq, method: `m${seq}` };
  return JSON.stringify({ t: timeOf(seq, startedAt), dir: 'in', seq, id: `proxy-${seq}`, raw });
}

function timeOf(seq: number, startedAt: string): string {
  return new Date(Date.parse(startedAt) + (seq + 1) * 1000).toISOString();
}
