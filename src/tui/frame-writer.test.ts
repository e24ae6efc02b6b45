import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FrameWriter } from './frame-writer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Frames that take this long to draw. */
function framesOf(tookMs: number): { readonly frames: FrameWriter; readonly drawn: () => number } {
  const draw = vi.fn(() => void vi.setSystemTime(Date.now() + tookMs));
  return { frames: new FrameWriter(draw, Date.now), drawn: () => draw.mock.calls.length };
}

it('draws a burst of occasional traffic once, a moment later', () => {
  const { frames, drawn } = framesOf(1);
  for (let n = 0; n < 10; n++) frames.soon();
  vi.advanceTimersByTime(100);
  expect(drawn()).toBe(1);
});

it('draws constant traffic less often the longer a frame takes, but at least twice a second', () => {
  const rates = [1, 8, 100].map((tookMs) => {
    const { frames, drawn } = framesOf(tookMs);
    for (let n = 0; n < 1000; n++) {
      frames.soon();
      vi.advanceTimersByTime(10);
    }
    frames.stop();
    return drawn() / 10;
  });
  expect(rates).toEqual([10, expect.closeTo(3.1, 0), 2]);
});

it('draws key presses at once, and together in one frame, however long traffic frames take', () => {
  const { frames, drawn } = framesOf(100);
  frames.now();
  frames.soon();
  frames.next();
  frames.next();
  vi.advanceTimersByTime(1);
  expect(drawn()).toBe(2);
  expect(vi.getTimerCount()).toBe(0);
});

it('draws traffic caused by a key a moment later, however long the frame for the key took', () => {
  const { frames, drawn } = framesOf(100);
  frames.now();
  frames.soon();
  vi.advanceTimersByTime(100);
  expect(drawn()).toBe(2);
});

it('does not delay a frame when the clock is set back', () => {
  const { frames, drawn } = framesOf(100);
  frames.soon();
  vi.advanceTimersByTime(100);
  vi.setSystemTime(Date.now() - 3_600_000);
  frames.soon();
  vi.advanceTimersByTime(500);
  expect(drawn()).toBe(2);
});

it('draws nothing after it is stopped', () => {
  const { frames, drawn } = framesOf(1);
  frames.soon();
  frames.next();
  frames.stop();
  vi.advanceTimersByTime(1000);
  expect(drawn()).toBe(0);
});
