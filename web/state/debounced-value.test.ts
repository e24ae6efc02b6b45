import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DebouncedValue } from './debounced-value.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('updates a debounced value during constant changes, but at most once per interval', () => {
  const work = vi.fn();
  const counting = new DebouncedValue(work, 2000);
  for (let ms = 0; ms < 10_000; ms += 80) {
    counting.due(true);
    vi.advanceTimersByTime(80);
  }
  expect(work).toHaveBeenCalledTimes(5);
});

it('updates a debounced value at once and only once when the changes stop', () => {
  const work = vi.fn();
  const counting = new DebouncedValue(work, 2000);
  counting.due(true);
  counting.due(false);
  vi.advanceTimersByTime(0);
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10_000);
  expect(work).toHaveBeenCalledTimes(1);
});

it('does not update a debounced value after it is stopped', () => {
  const work = vi.fn();
  const counting = new DebouncedValue(work, 2000);
  counting.due(true);
  counting.stop();
  vi.advanceTimersByTime(10_000);
  expect(work).not.toHaveBeenCalled();
});
