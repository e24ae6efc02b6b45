import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PeriodicSaves } from './periodic-saves.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The times at which saves of a growing duration start within ten minutes, and the time that they take in total. */
async function savesOf(everyMs: number, durationOf: (n: number) => number): Promise<[starts: number[], total: number]> {
  const starts: number[] = [];
  let total = 0;
  const begin = performance.now();
  const saves = new PeriodicSaves(everyMs, () => {
    const tookMs = durationOf(starts.length);
    starts.push(performance.now() - begin);
    total += tookMs;
    return new Promise((resolve) => setTimeout(resolve, tookMs));
  });
  await vi.advanceTimersByTimeAsync(600_000);
  saves.close();
  await vi.advanceTimersByTimeAsync(600_000);
  return [starts, total];
}

it('saves in the given interval as long as a save takes a tenth of it at most', async () => {
  const [starts] = await savesOf(10_000, () => 900);
  expect(starts.slice(0, 4)).toEqual([10_000, 20_000, 30_000, 40_000]);
  expect(starts).toHaveLength(60);
});

it('spends a tenth of the time on saves at most, however long they take', async () => {
  for (const durationOf of [() => 2000, (n: number) => 100 * (n + 1), (n: number) => 500 * 1.2 ** n]) {
    const [starts, total] = await savesOf(1000, durationOf);
    expect(starts.length).toBeGreaterThan(5);
    expect(total).toBeLessThanOrEqual(0.1 * 600_000 + durationOf(starts.length));
  }
});

it('starts no save after it was closed', async () => {
  const saves = new PeriodicSaves(1000, () => Promise.reject(new Error('saved')));
  saves.close();
  await vi.advanceTimersByTimeAsync(10_000);
});
