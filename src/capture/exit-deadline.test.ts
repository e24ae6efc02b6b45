import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ExitDeadline } from './exit-deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function isOver(deadline: ExitDeadline): Promise<boolean> {
  let over = false;
  void deadline.isOver.then(() => {
    over = true;
  });
  await Promise.resolve();
  return over;
}

it.each([
  ['a signal and then the end of the server', ['signalled', 'serverEnded']],
  ['the end of the server and then a signal', ['serverEnded', 'signalled']],
] as const)('starts the deadline after %s', async (_, [first, second]) => {
  const deadline = new ExitDeadline(1500);
  deadline[first]();
  vi.advanceTimersByTime(60_000);
  expect(await isOver(deadline)).toBe(false);
  deadline[second]();
  vi.advanceTimersByTime(1499);
  expect(await isOver(deadline)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await isOver(deadline)).toBe(true);
});

it('does not extend the deadline on further signals, and never expires without a signal', async () => {
  const quiet = new ExitDeadline(1500);
  quiet.serverEnded();
  const deadline = new ExitDeadline(1500);
  deadline.serverEnded();
  deadline.signalled();
  vi.advanceTimersByTime(1000);
  deadline.signalled();
  vi.advanceTimersByTime(500);
  expect([await isOver(deadline), await isOver(quiet)]).toEqual([true, false]);
  deadline.close();
  expect(vi.getTimerCount()).toBe(0);
});
