import { describe, expect, it } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { MAX_MEMORY, type Measured, stallClient, stallServer } from '../torture/support/stalled-reader.mjs';

/** The maximum that sockets, streams and pipes between the ends may hold. */
const ON_THE_WAY = 4e6;

function expectFlat({ takenWhileStalled, stalledMemory = 0, peakMemory = 0 }: Measured): void {
  expect(takenWhileStalled, 'bytes taken while nobody read').toBeLessThan(ON_THE_WAY);
  expect(stalledMemory, 'memory while nobody read').toBeLessThan(MAX_MEMORY);
  expect(peakMemory, 'memory at most').toBeLessThan(MAX_MEMORY);
}

/** Expects the short lines of one direction in the trace as messages, and the size and hash of each long one. */
function expectGaps({ lines, trace }: Measured, dir: 'in' | 'out'): void {
  const recorded = trace
    .filter((line) => line.dir === dir || line.kind === 'mcpreel.gap')
    .map(({ kind, raw }) => (kind === undefined ? { text: JSON.stringify(raw) } : raw))
    .filter((line) => !JSON.stringify(line).includes('how far?'));
  const passed = lines.map(({ text, size, sha256 }) =>
    text === undefined ? { missed: 1, why: expect.any(String), dir, size, sha256 } : { text },
  );
  expect(recorded).toEqual(passed);
}

describe.each([
  ['client', 'out', stallClient],
  ['server', 'in', stallServer],
] as const)('a %s that does not read for a while', (_, dir, stall) => {
  it('delivers all data afterwards, with flat memory use in the meantime', async () => {
    const measured = await stall({ bytes: 150e6, lineBytes: 8e6, maxMessage: '1M' });
    expect(measured.received).toEqual(measured.sent);
    expect(measured.status).toBe(0);
    expectFlat(measured);
    expectGaps(measured, dir);
  });

  it('delivers and records all data in short lines', async () => {
    const measured = await stall({ bytes: 15e6, lineBytes: 1000, maxMessage: '1M' });
    expect(measured.received).toEqual(measured.sent);
    expectFlat(measured);
    const messages = measured.trace
      .filter((line) => line.dir === dir)
      .map(({ raw }) => (raw as { method: string }).method);
    expect(messages.filter((method) => method === 'line')).toHaveLength(15_000);
    expect([messages[0], messages.at(-1)]).toEqual(['first', 'last']);
  });
});

it('forwards a line of 200 MB whole, records its size and hash, and never buffers it', async () => {
  const measured = await stallClient({ bytes: 200e6, lineBytes: 200e6, maxMessage: '64k' });
  expect(measured.received).toEqual(measured.sent);
  expect(measured.lines.map(({ size }) => size)).toEqual([34, 200e6 - 1, 33]);
  expectFlat(measured);
  expectGaps(measured, 'out');
});
