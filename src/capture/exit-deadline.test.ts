import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ExitDeadline } from './exit-deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function isOver(grace: ExitDeadline): Promise<boolean> {
  let over = false;
  void grace.isOver.then(() => {
    over = true;
  });
  await Promise.resolve();
  return over;
}

it.each([
  ['a signal and then the end of the server', ['signalled', 'serverEnded']],
  ['the end of the server and then a signal', ['serverEnded', 'signalled']],
] as const)('runs from %s', async (_, [first, second]) => {
  const grace = new ExitDeadline(1500);
  grace[first]();
  vi.advanceTimersByTime(60_000);
  expect(await isOver(grace)).toBe(false);
  grace[second]();
  vi.advanceTimersByTime(1499);
  expect(await isOver(grace)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await isOver(grace)).toBe(true);
});

it('is not made longer by more signals, and never ends without one', async () => {
  const quiet = new ExitDeadline(1500);
  quiet.serverEnded();
  const grace = new ExitDeadline(1500);
  grace.serverEnded();
  grace.signalled();
  vi.advanceTimersByTime(1000);
  grace.signalled();
  vi.advanceTimersByTime(500);
  expect([await isOver(grace), await isOver(quiet)]).toEqual([true, false]);
  grace.close();
  expect(vi.getTimerCount()).toBe(0);
});
