import { expect, it } from 'vitest';
import { steadyClock } from './steady-clock.ts';

const HOUR = 3_600_000;

/** A wall clock that can be set, and the steady clock that reads it. */
function clocks(): { now: () => number; pass: (ms: number) => void; set: (ms: number) => void } {
  let elapsed = 17.25;
  let wall = 1_800_000_000_000;
  return {
    now: steadyClock(
      () => Math.floor(wall),
      () => elapsed,
    ),
    pass: (ms) => {
      elapsed += ms;
      wall += ms;
    },
    set: (ms) => {
      wall += ms;
    },
  };
}

it('follows the wall clock in whole milliseconds while the clock is not set', () => {
  const { now, pass } = clocks();
  expect(now()).toBe(1_800_000_000_000);
  pass(1500.4);
  expect(now()).toBe(1_800_000_001_500);
});

it('keeps advancing when the wall clock is set back', () => {
  const { now, pass, set } = clocks();
  const before = now();
  set(-5 * HOUR);
  pass(10);
  expect(now() - before).toBe(10);
  pass(HOUR);
  expect(now() - before).toBe(HOUR + 10);
});

it('follows a clock that is set forward, and advances from there when it is set back again', () => {
  const { now, pass, set } = clocks();
  const before = now();
  set(2 * HOUR);
  expect(now() - before).toBe(2 * HOUR);
  set(-2 * HOUR);
  pass(3);
  expect(now() - before).toBe(2 * HOUR + 3);
});
