import { fileURLToPath } from 'node:url';
import type { Place } from '../support/place.ts';

const server = fileURLToPath(new URL('answering-server.mjs', import.meta.url));

/** The command of a server that answers calls with these texts. */
export function answering(texts: Readonly<Record<string, string>>): readonly string[] {
  return [process.execPath, server, JSON.stringify(texts)];
}

/**
 * Writes a trace in which a client calls these tools in order and receives these texts. Text before ` <- ` is logged.
 */
export function writeTalk(
  place: Place,
  calls: readonly (readonly [name: string, text: string, args?: object])[],
  name = 'session.jsonl',
): string {
  const lines: object[] = [
    {
      v: 1,
      type: 'meta',
      startedAt: at(0),
      label: 'told',
      command: ['told'],
      id: '550e8400-e29b-41d4-a716-446655440000',
    },
  ];
  let seq = 0;
  const add = (dir: 'in' | 'out', raw: object): void => {
    lines.push({ t: at(seq), dir, seq, id: `m${seq}`, raw: { jsonrpc: '2.0', ...raw } });
    seq++;
  };
  const info = { name: 'told', version: '1' };
  add('in', {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info },
  });
  add('out', { id: 0, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: info } });
  add('in', { method: 'notifications/initialized' });
  for (const [index, [tool, text, args = {}]] of calls.entries()) {
    add('in', { id: index + 1, method: 'tools/call', params: { name: tool, arguments: args } });
    const [sent, logged] = text.split(' <- ').toReversed();
    if (logged !== undefined) add('out', { method: 'notifications/message', params: { level: 'info', data: logged } });
    add('out', { id: index + 1, result: { content: [{ type: 'text', text: sent }] } });
  }
  return place.write(name, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

function at(seq: number): string {
  return new Date(Date.UTC(2026, 0, 1) + seq * 20).toISOString();
}
