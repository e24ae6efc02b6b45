import { describe, expect, it } from 'vitest';
import { SampleTrace } from '../../../test/web/sample-trace.ts';
import { Engine } from '../engine.ts';
import type { MapLane } from './minimap.ts';

async function mapOf(trace: SampleTrace): Promise<MapLane | undefined> {
  const engine = new Engine({ onTimeline: () => undefined, onShown: () => undefined }, () => performance.now());
  await engine.open([{ name: 'a.jsonl', blob: new Blob([String(trace)]) }]);
  return engine.minimap(4).lanes[0];
}

const event = (kind: string): string =>
  JSON.stringify({ t: '2026-01-02T03:04:05.000Z', type: 'event', dir: 'event', kind, raw: {} });

describe('the minimap of a session', () => {
  it('has a row for each kind that occurs, calls first', async () => {
    const trace = new SampleTrace()
      .line(event('http.exchange'))
      .line(event('stdio.stderr'))
      .line(event('stdio.noise'))
      .server({ jsonrpc: '2.0', id: 's', method: 'roots/list' })
      .client({ jsonrpc: '2.0', id: 's', result: {} })
      .server({ jsonrpc: '2.0', method: 'notifications/message', params: {} })
      .call(1, 'one', {}, {})
      .client({ jsonrpc: '2.0', id: 2, method: 'ping' });
    const rows = (await mapOf(trace))?.rows.map(({ kind, count }) => [kind, count]);
    expect(rows).toEqual([
      ['calls', 2],
      ['notifications', 1],
      ['fromServer', 1],
      ['beside', 2],
      ['http', 1],
    ]);
  });

  it('places requests and responses at their times, and failures at their responses', async () => {
    const lane = await mapOf(new SampleTrace().call(1, 'one', {}, { isError: true, content: [] }, 1000));
    expect(lane?.rows).toEqual([{ kind: 'calls', count: 1, counts: [1, 0, 0, 0], answers: [0, 0, 0, 1] }]);
    expect(lane?.errors).toEqual([3]);
  });
});
