import { expect, it } from 'vitest';
import { RefreshPace } from './pace.ts';

/** A pace with a manual clock, and the length of one rest after this many milliseconds of work. */
function onClock(): { readonly pace: RefreshPace; pass(ms: number): void; restMs(workMs: number): Promise<number> } {
  let clockMs = 1_000_000;
  const pace = new RefreshPace(() => clockMs);
  return {
    pace,
    pass: (ms) => {
      clockMs += ms;
    },
    restMs: async (workMs) => {
      const startedAtMs = clockMs;
      clockMs += workMs;
      const before = performance.now();
      await pace.restSince(startedAtMs);
      return performance.now() - before;
    },
  };
}

it('rests many times as long as it worked on a busy session', async () => {
  const { pace, restMs } = onClock();
  pace.isBusy();
  expect(await restMs(2)).toBeGreaterThan(70);
  // The clock cannot distinguish it from zero.
  expect(await restMs(0)).toBeGreaterThan(35);
});

it('does not rest when no traffic has arrived for a while, or after the end', async () => {
  const { pace, pass, restMs } = onClock();
  const restsOnce = async (): Promise<boolean> => (await restMs(20)) > 400;
  expect(await restsOnce()).toBe(false);
  pace.isBusy();
  expect(await restsOnce()).toBe(true);
  pass(250);
  expect(await restsOnce()).toBe(false);
  pace.isBusy();
  pace.isOver();
  expect(await restsOnce()).toBe(false);
});
