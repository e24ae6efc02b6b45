import { describe, expect, it } from 'vitest';
import { event, message, response, session } from '../../../../test/contract/factories.ts';
import { callsOf } from '../../../analysis/calls/call-tracker.ts';
import { loadFilter } from '../../../analysis/filter/filter.ts';
import type { Entry } from '../../../model/entry.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { entriesOf } from '../../../model/session.ts';
import { filteredBy, requestedCalls } from './filtering.ts';

/** A tool request and its response. */
function call(id: number, tool: string, result = '{}'): Entry[] {
  return [
    message({ proxyId: `q${id}`, text: `{"id":${id},"method":"tools/call","params":{"name":"${tool}"}}` }),
    response({ proxyId: `a${id}`, text: `{"id":${id},"result":${result}}` }),
  ];
}

/** A session that counts how often it is read. */
function counted(entries: readonly Entry[]): RecordedSession & { readonly readings: { count: number } } {
  const whole = session(entries);
  const readings = { count: 0 };
  return {
    ...whole,
    readings,
    batches() {
      readings.count++;
      return whole.batches();
    },
  };
}

async function idsOf(read: RecordedSession): Promise<string[]> {
  const ids: string[] = [];
  for await (const entry of entriesOf(read)) ids.push(entry.kind === 'message' ? entry.proxyId : entry.kind);
  return ids;
}

async function left(entries: readonly Entry[], filter: string, parts?: Partial<RecordedSession>): Promise<string[]> {
  return idsOf(await filteredBy({ ...session(entries), ...parts }, await loadFilter(filter)));
}

describe('filteredBy', () => {
  it('reads a session once if few entries match, even if they are iterated several times', async () => {
    const source = counted([...call(1, 'a'), event(), ...call(2, 'b')]);
    const filtered = await filteredBy(source, await loadFilter('tool:b or kind:stderr'));
    for (let round = 0; round < 3; round++) {
      expect(await idsOf(filtered)).toEqual(['event', 'q2', 'a2']);
      expect(filtered.passed.messages).toBe(4);
    }
    expect(source.readings.count).toBe(1);
  });

  it('reads a session again if many entries match', async () => {
    const source = counted(Array.from({ length: 6000 }, (_, id) => call(id, 'a')).flat());
    const filtered = await filteredBy(source, await loadFilter('tool:a'));
    for (let round = 1; round <= 2; round++) {
      expect(await idsOf(filtered)).toHaveLength(12_000);
      expect(source.readings.count).toBe(round);
    }
  });

  it('does not reuse the entries of an aborted read', async () => {
    const filtered = await filteredBy(session([...call(1, 'a'), ...call(2, 'a')]), await loadFilter('tool:a'));
    for await (const _batch of filtered.batches()) break;
    expect(await idsOf(filtered)).toEqual(['q1', 'a1', 'q2', 'a2']);
  });

  it('matches by the outcome of a call only after the call has ended', async () => {
    const failed = '{"isError":true}';
    const overlapping = [...call(1, 'a', failed), ...call(2, 'a')];
    const [q1, a1, q2, a2] = overlapping;
    const entries = [q1, q2, a2, a1].filter((entry) => entry !== undefined);
    expect(await left(entries, 'status:error')).toEqual(['q1', 'a1']);
  });

  it('matches no durations if the times are only sequence numbers', async () => {
    const [q1, a1] = call(1, 'a');
    const entries = [q1, a1 && { ...a1, atMs: a1.atMs + 1 }].filter((entry) => entry !== undefined);
    expect(await left(entries, 'dur:>=0')).toEqual(['q1', 'a1']);
    expect(await left(entries, 'dur:>=0', { numbersTimes: true })).toEqual([]);
  });
});

describe('requestedCalls', () => {
  it('selects calls with any matching message, and matching entries outside of calls', async () => {
    const beside = event({ raw: '{"text":"needle"}' });
    const source = counted([...call(1, 'a', '{"said":"needle"}'), beside, ...call(2, 'a')]);
    const requested = await requestedCalls(source, await loadFilter('needle'));
    expect(source.readings.count).toBe(0);
    const names: [string, boolean][] = [];
    for await (const each of callsOf(source)) names.push([each.request.proxyId, requested.wants(each)]);
    expect(names).toEqual([
      ['q1', true],
      ['q2', false],
    ]);
    expect([requested.wantsAlone(beside), requested.wantsAlone(event())]).toEqual([true, false]);
  });
});
