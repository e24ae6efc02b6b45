import { describe, expect, it } from 'vitest';
import { outline, type Reading, readAll, writeAll } from '../../../test/contract/files.ts';
import { partText, SESSION_ID, traceText } from '../../../test/support/trace-texts.ts';
import { trace } from './trace.ts';

const read = (...parts: string[]): Promise<Reading> => readAll(trace, parts.join(''));
const END = { durationMs: 9000 };

/** The gaps of a reading: the number of messages before each, its time and its text. */
function gapsIn({ entries }: Reading): [after: number, at: string, raw: string][] {
  return entries.flatMap((entry, index) => {
    if (entry.kind !== 'event' || entry.event !== 'mcpreel.gap') return [];
    const before = entries.slice(0, index).filter(({ kind }) => kind === 'message').length;
    return [[before, new Date(entry.atMs).toISOString(), entry.raw]];
  });
}

describe('the concatenated parts of a rotated trace', () => {
  it('reads the parts as one session', async () => {
    const whole = await read(traceText({ entries: [0, 6], end: END }));
    const parts = await read(partText(1, [0, 2]), partText(2, [2, 4]), partText(3, [4, 6], { end: END }));
    expect(parts.entries).toEqual(whole.entries);
    expect(parts.session.header).toEqual(whole.session.header);
    expect(parts.session.footer).toEqual(whole.session.footer);
    expect(parts.problems).toEqual([]);
  });

  it('writes the joined parts without part markers', async () => {
    const { session } = await read(partText(1, [0, 2]), partText(2, [2, 4], { end: END }));
    const text = await writeAll(trace, session);
    expect(text).not.toMatch(/"part"|"before"/);
    expect(text.match(/"type":"meta"/g)).toHaveLength(1);
  });

  it('reports a gap for removed parts before the first part', async () => {
    const reading = await read(partText(3, [40, 42]), partText(4, [42, 43], { end: END }));
    const raw = '{"missed":40,"why":"earlier parts were removed"}';
    expect(gapsIn(reading)).toEqual([[0, '2026-03-04T10:00:41.000Z', raw]]);
    expect(reading.messages.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
  });

  it('reports a gap for removed parts between two parts', async () => {
    const reading = await read(partText(1, [0, 2]), partText(3, [5, 6]));
    const raw = '{"missed":3,"why":"earlier parts were removed"}';
    expect(gapsIn(reading)).toEqual([[2, '2026-03-04T10:00:06.000Z', raw]]);
  });

  it('reports a gap even if no entry follows', async () => {
    const reading = await read(partText(1, [0, 2]), partText(3, [5, 5]));
    expect(gapsIn(reading)).toEqual([[2, '2026-03-04T10:00:02.000Z', expect.stringContaining('"missed":3')]]);
  });

  it('reports a gap once even if the next part has no entries', async () => {
    const reading = await read(partText(3, [40, 40]), partText(4, [40, 41]));
    expect(gapsIn(reading)).toEqual([[0, '2026-03-04T10:00:41.000Z', expect.stringContaining('"missed":40')]]);
  });

  it('reports a damaged line as a problem and not as a gap', async () => {
    const damaged = partText(1, [0, 3]).replace('"seq":1', '"seq"1');
    const reading = await read(damaged, partText(2, [3, 4]));
    expect(gapsIn(reading)).toEqual([]);
    expect(reading.problems).toEqual(['line 3: not a JSON object']);
  });

  it('reports no gap if sequence numbers are skipped within a part', async () => {
    const skipping = partText(1, [0, 3]).replace('"seq":2', '"seq":7');
    expect(gapsIn(await read(skipping, partText(2, [3, 4])))).toEqual([]);
  });
});

describe('a later meta line', () => {
  it('keeps a later meta line of another session as a record', async () => {
    const other = partText(2, [2, 3], { id: 'ffff0000-0000-4000-8000-000000000000' });
    expect(outline((await read(partText(1, [0, 2]), other)).entries)).toEqual(['> m0', '> m1', 'meta', '> m2']);
  });

  it('keeps a later meta line of the same session without a part number as a record', async () => {
    const again = traceText({ entries: [2, 3] });
    expect(outline((await read(traceText(), again)).entries)).toEqual(['> m0', '> m1', 'meta', '> m2']);
  });
});

it('keeps the unknown field "part" of another producer', async () => {
  const text = traceText({ meta: { part: 'first', before: 'noon' } });
  const { session } = await read(text);
  expect(session.header).toMatchObject({ id: SESSION_ID, keepsakes: { trace: '{"part":"first","before":"noon"}' } });
  expect(await writeAll(trace, session)).toBe(text);
});
