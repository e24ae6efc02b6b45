import { describe, expect, it } from 'vitest';
import { SampleTrace } from '../../test/web/sample-trace.ts';
import { Engine } from './engine.ts';
import type { FileToOpen } from './file-to-open.ts';
import type { ShownFacts } from './timeline/timeline-facts.ts';

const REQUEST = { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'slow', _meta: { progressToken: 7 } } };
const PROGRESS = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 7, progress: 1 } };

function fileOf(trace: SampleTrace, name = 'a.jsonl'): FileToOpen {
  return { name, blob: new Blob([String(trace)]) };
}

/** An engine, and the facts that it reported. */
function started(now: () => number = () => performance.now()): { engine: Engine; reported: ShownFacts[] } {
  const reported: ShownFacts[] = [];
  const engine = new Engine({ onTimeline: () => undefined, onShown: (facts) => reported.push(facts) }, now);
  return { engine, reported };
}

async function settled(reported: readonly ShownFacts[]): Promise<ShownFacts | undefined> {
  await expect.poll(() => reported.at(-1)?.isComplete).toBe(true);
  return reported.at(-1);
}

describe('Engine', () => {
  it('keeps every row while it reevaluates a session that has grown', async () => {
    const calls = new SampleTrace('a');
    for (let id = 1; id <= 3000; id++) calls.call(id, 'one', {}, { content: [] });
    // With this clock, each slice of work ends as soon as it begins.
    let ms = 0;
    const { engine, reported } = started(() => (ms += 200));
    await engine.open([fileOf(calls), fileOf(new SampleTrace('b').call(1, 'two', {}, {}), 'b.jsonl')]);
    await expect.poll(() => reported.at(-1)?.rows).toBe(3001);
    reported.length = 0;
    engine.timeline.grown();
    engine.report();
    expect(engine.rows(2990, 3001)).toHaveLength(11);
    await expect.poll(() => reported.length).toBeGreaterThan(2);
    expect(reported.map(({ rows }) => rows)).toEqual(reported.map(() => 3001));
  });

  it('has no row for a pause that is short compared with the session', async () => {
    const trace = new SampleTrace().call(1, 'one', {}, {}).wait(3000).call(2, 'two', {}, {});
    const { engine, reported } = started();
    engine.beginLive({ id: 'x', label: 'x', startedAtMs: 0, header: String(trace).split('\n')[0] });
    const lines = String(trace).trim().split('\n').slice(1);
    engine.addLive('x', lines);
    await expect.poll(() => reported.at(-1)?.rows).toBe(3);
    const later = new SampleTrace('sample', Date.UTC(2026, 0, 2, 4, 4, 5)).call(3, 'three', {}, {});
    engine.addLive(
      'x',
      String(later)
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.replace(/"seq":(\d)/, '"seq":1$1')),
    );
    await expect.poll(() => reported.at(-1)?.entries).toBe(3);
    expect(engine.rows(0, 10).map((row) => row?.kind)).toEqual(['call', 'call', 'idle', 'call']);
  });

  it('lists the related entries of a call that is still open', async () => {
    const { engine } = started();
    const event = { t: '2026-01-02T03:04:06.000Z', type: 'event', dir: 'event', kind: 'stdio.stderr' };
    const stderr = JSON.stringify({ ...event, raw: { text: 'working' } });
    await engine.open([fileOf(new SampleTrace().client(REQUEST).server(PROGRESS).line(stderr))]);
    expect(engine.detail(0)?.outcome?.status).toBe('pending');
    expect(engine.detail(0)?.related.map(({ why }) => why)).toEqual(['progress', 'stderr']);

    const { engine: live } = started();
    live.beginLive({ id: 'x', label: 'x', startedAtMs: 0, header: undefined });
    live.addLive('x', String(new SampleTrace().client(REQUEST).server(PROGRESS)).trim().split('\n').slice(1));
    expect(live.detail(0)?.outcome).toBeUndefined();
    expect(live.detail(0)?.related.map(({ why }) => why)).toEqual(['progress']);
  });

  it('compares the recordings that are open now, not similar ones opened before', async () => {
    const { engine } = started();
    const choice = { a: 0, b: 1, profile: 'strict', rules: [] } as const;
    const one = (): FileToOpen => fileOf(new SampleTrace().call(1, 'one', {}, { content: [] }).end());
    const other = (): FileToOpen => fileOf(new SampleTrace().call(1, 'one', {}, { content: ['x'] }).end());
    await engine.open([one(), one()]);
    expect((await engine.diff(choice)).counts.values).toBe(0);
    engine.close();
    await engine.open([one(), other()]);
    expect((await engine.diff(choice)).counts.values).toBeGreaterThan(0);
  });

  it('adds up the calls of the recordings that are open now, not of similar ones opened before', async () => {
    const { engine } = started();
    const tools = async (): Promise<string[]> =>
      (await engine.toolFigures('all')).flatMap(({ stats }) => stats.tools.map(({ name }) => name));
    await engine.open([fileOf(new SampleTrace().call(1, 'one', {}, {}).end())]);
    expect(await tools()).toEqual(['one']);
    engine.close();
    await engine.open([fileOf(new SampleTrace().call(1, 'two', {}, {}).end())]);
    expect(await tools()).toEqual(['two']);
  });

  it('reports the error in the current filter, whichever filter was parsed first', async () => {
    const { engine } = started();
    const rest = { range: undefined, foldsAnswers: true };
    // The first filter with an expression loads the code for expressions.
    const sent = await Promise.all(['/a+/', 'dur:soon'].map((filter) => engine.choose({ ...rest, filter })));
    expect(sent).toEqual([sent[1], expect.stringMatching(/^Not a duration: soon .* Example:/)]);
    expect(await engine.choose({ ...rest, filter: '/a+/' })).toBeUndefined();
  });

  it('reports no durations for a recording without times', async () => {
    const { engine, reported } = started();
    const lines = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":1,"result":{}}\n';
    await engine.open([{ name: 'a.jsonl', blob: new Blob([lines]) }]);
    await settled(reported);
    expect(engine.rows(0, 1)).toEqual([expect.objectContaining({ name: 'ping', status: 'ok', durationMs: undefined })]);
  });

  it('continues a session that was lost and found again while the page was paused', () => {
    const { engine } = started();
    const beginning = { id: 'x', label: 'x', startedAtMs: 0, header: undefined };
    engine.beginLive(beginning);
    engine.pauseLive(true);
    engine.endLive('x', { why: 'It does not respond.' });
    engine.beginLive(beginning);
    expect(engine.timeline.lanes.map(({ state }) => state)).toEqual(['live']);
    engine.pauseLive(false);
    expect(engine.timeline.lanes.map(({ state, fault }) => [state, fault])).toEqual([['live', undefined]]);
  });

  it('reports unanswered requests once a watched session has ended', async () => {
    const { engine } = started();
    const [header, request, end] = String(new SampleTrace().client(REQUEST).end()).split('\n');
    engine.beginLive({ id: 'x', label: 'x', startedAtMs: 0, header });
    engine.addLive('x', [request ?? '']);
    const codes = async (): Promise<string[]> => (await engine.findings(0)).map(({ code }) => code);
    expect(await codes()).not.toContain('hung-call');
    engine.endLive('x', { line: end });
    expect(await codes()).toContain('hung-call');
  });

  it('finds secrets and reports where they are without their values', async () => {
    const { engine, reported } = started();
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    await engine.open([fileOf(new SampleTrace().call(1, 'one', { token: secret }, {}).end())]);
    await settled(reported);
    const found = (await engine.findings(0)).filter(({ code }) => code === 'secret-present');
    expect(found).toHaveLength(1);
    expect(JSON.stringify(found)).not.toContain(secret);
  });
});
