import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DebouncedValue } from './debounced-value.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('comes to its work while something changes all the time, and no more often than it should', () => {
  const work = vi.fn();
  const counting = new DebouncedValue(work, 2000);
  for (let ms = 0; ms < 10_000; ms += 80) {
    counting.due(true);
    vi.advanceTimersByTime(80);
  }
  expect(work).toHaveBeenCalledTimes(5);
});

it('works at once when nothing moves any more, and once', () => {
  const work = vi.fn();
  const counting = new DebouncedValue(work, 2000);
  counting.due(true);
  counting.due(false);
  vi.advanceTimersByTime(0);
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10_000);
  expect(work).toHaveBeenCalledTimes(1);
});

it('does nothing any more once it is stopped', () => {
  const work = vi.fn();
  const counting = new DebouncedValue(work, 2000);
  counting.due(true);
  counting.stop();
  vi.advanceTimersByTime(10_000);
  expect(work).not.toHaveBeenCalled();
});
