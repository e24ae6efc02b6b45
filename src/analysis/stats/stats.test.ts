import { describe, expect, it } from 'vitest';
import { sampleCall, sampleMessage, toolCall, toolList } from '../../../test/support/calls/sample-calls.ts';
import type { Call } from '../calls/call.ts';
import { StatsRollUp } from './roll-up.ts';
import { SessionStats, type Stats } from './stats.ts';
import { CallTallies } from './tally.ts';

function statsOf(...calls: readonly Call[]): Stats {
  const stats = new SessionStats();
  for (const call of calls) stats.takeCall(call);
  return stats.result();
}

describe('SessionStats', () => {
  it('counts messages and events separately', () => {
    const stats = new SessionStats();
    stats.takeEntry(sampleMessage('{}'));
    stats.takeEntry({ kind: 'event', event: 'stdio.stderr', atMs: 0, raw: '""' });
    stats.takeEntry(sampleMessage('{}'));
    expect(stats.result()).toMatchObject({ messages: 2, events: 1 });
  });

  it('totals calls per tool, sorted by number of calls', () => {
    const { tools } = statsOf(
      toolCall('b', { durationMs: 10 }),
      toolCall('a', { durationMs: 30, status: 'error' }),
      toolCall('a', { durationMs: 20 }),
      toolCall('a', { durationMs: undefined, status: 'pending', answer: undefined }),
    );
    expect(tools.map(({ name, calls, p50Ms, maxMs }) => [name, calls, p50Ms, maxMs])).toEqual([
      ['a', 3, 20, 30],
      ['b', 1, 10, 10],
    ]);
    expect(tools[0]?.byStatus).toEqual({ ok: 1, error: 1, pending: 1, cancelled: 0, late: 0, stream: 0 });
  });

  it('counts client and server requests separately', () => {
    const { methods } = statsOf(sampleCall(), sampleCall({ direction: 'server_to_client' }), sampleCall());
    expect(methods.map(({ method, direction, calls }) => [method, direction, calls])).toEqual([
      ['ping', 'client_to_server', 2],
      ['ping', 'server_to_client', 1],
    ]);
  });

  it('does not treat a server request as a tool call', () => {
    expect(statsOf(toolCall('a', { direction: 'server_to_client' })).tools).toEqual([]);
  });

  it('reports the size of tool definitions, tools never called and tools not listed', () => {
    const wide = { name: 'wide', description: '€' };
    const stats = statsOf(toolList([{ name: 'a' }, wide]), toolCall('a'), toolCall('ghost'));
    expect(stats.tools.map(({ name, definitionBytes }) => [name, definitionBytes])).toEqual([
      ['a', 12],
      ['ghost', undefined],
      ['wide', JSON.stringify(wide).length + 2],
    ]);
    expect(stats).toMatchObject({ definitionBytes: 47, neverCalled: ['wide'], notAdvertised: ['ghost'] });
  });

  it('reports no tool as not listed if the tools were never listed', () => {
    expect(statsOf(toolCall('a'))).toMatchObject({ neverCalled: [], notAdvertised: [] });
  });

  it('includes the tools of every page, each with its latest size', () => {
    const stats = statsOf(
      toolList([{ name: 'a' }], { nextCursor: '2' }),
      toolList([{ name: 'b' }], { cursor: '2' }),
      toolList([{ name: 'a', description: 'longer' }]),
    );
    expect(stats.neverCalled).toEqual(['a', 'b']);
    expect(stats.tools.map(({ definitionBytes }) => definitionBytes)).toEqual([35, 12]);
  });
});

describe('CallTallies', () => {
  it('groups the names beyond its limit as (others)', () => {
    const tallies = new CallTallies(2);
    const measured = { status: 'ok', durationMs: 1, humanMs: 0, sentBytes: 1, receivedBytes: 1 } as const;
    for (const name of ['a', 'b', 'c', 'd', 'a']) tallies.add(name, measured);
    expect(tallies.figures().map(([name, { calls }]) => [name, calls])).toEqual([
      ['(others)', 2],
      ['a', 2],
      ['b', 1],
    ]);
  });
});

describe('StatsRollUp', () => {
  const at = (time: string): Call['request'] => sampleMessage('{}', { atMs: Date.parse(time) });

  it('totals sessions by server and by day', () => {
    const rollUp = new StatsRollUp();
    for (const [server, time, durationMs] of [
      ['fs', '2026-03-04T23:59:59.999Z', 1],
      ['fs', '2026-03-05T00:00:00.000Z', 3],
      ['db', '2026-03-05T12:00:00.000Z', 5],
    ] as const) {
      rollUp.begin({ server, hasTimes: true }).takeCall(toolCall('a', { request: at(time), durationMs }));
    }
    const { sessions, total, servers, days } = rollUp.result();
    expect({ sessions, calls: total.calls, p50Ms: total.p50Ms }).toEqual({ sessions: 3, calls: 3, p50Ms: 3 });
    expect(servers.map(({ server, sessions: n, total: { calls, maxMs } }) => [server, n, calls, maxMs])).toEqual([
      ['db', 1, 1, 5],
      ['fs', 2, 2, 3],
    ]);
    expect(days.map(({ day, calls, maxMs }) => [day, calls, maxMs])).toEqual([
      ['2026-03-04', 1, 1],
      ['2026-03-05', 2, 5],
    ]);
  });

  it('treats a tool as called if any session of the same server called it', () => {
    const rollUp = new StatsRollUp();
    rollUp.begin({ server: 'fs', hasTimes: true }).takeCall(toolList([{ name: 'a' }, { name: 'b' }]));
    rollUp.begin({ server: 'fs', hasTimes: true }).takeCall(toolCall('a'));
    rollUp.begin({ server: 'db', hasTimes: true }).takeCall(toolCall('b'));
    expect(rollUp.result().servers.map(({ server, neverCalled }) => [server, neverCalled])).toEqual([
      ['db', []],
      ['fs', ['b']],
    ]);
  });

  it('assigns sessions without timestamps to no day', () => {
    const rollUp = new StatsRollUp();
    rollUp.begin({ server: 'fs', hasTimes: false }).takeCall(toolCall('a', { durationMs: 7 }));
    expect(rollUp.result()).toMatchObject({ total: { calls: 1, p50Ms: undefined }, days: [] });
  });
});
