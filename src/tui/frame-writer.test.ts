import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FrameWriter } from './frame-writer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Frames that take this long to draw. */
function framesOf(tookMs: number): { readonly frames: FrameWriter; readonly drawn: () => number } {
  const draw = vi.fn(() => void vi.setSystemTime(Date.now() + tookMs));
  return { frames: new FrameWriter(draw, Date.now), drawn: () => draw.mock.calls.length };
}

it('Traffic that comes now and then is drawn a moment later, however much of it', () => {
  const { frames, drawn } = framesOf(1);
  for (let n = 0; n < 10; n++) frames.soon();
  vi.advanceTimersByTime(100);
  expect(drawn()).toBe(1);
});

it('Traffic that never ends is drawn the more seldom the longer a frame takes, yet twice a second', () => {
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

it('Keys are drawn at once, those that came together once, and whatever frames of traffic take', () => {
  const { frames, drawn } = framesOf(100);
  frames.now();
  frames.soon();
  frames.next();
  frames.next();
  vi.advanceTimersByTime(1);
  expect(drawn()).toBe(2);
  expect(vi.getTimerCount()).toBe(0);
});

it('Traffic that a key has caused is drawn a moment later, however long the frame of the key took', () => {
  const { frames, drawn } = framesOf(100);
  frames.now();
  frames.soon();
  vi.advanceTimersByTime(100);
  expect(drawn()).toBe(2);
});

it('A clock that is set back does not keep a frame waiting', () => {
  const { frames, drawn } = framesOf(100);
  frames.soon();
  vi.advanceTimersByTime(100);
  vi.setSystemTime(Date.now() - 3_600_000);
  frames.soon();
  vi.advanceTimersByTime(500);
  expect(drawn()).toBe(2);
});

it('Nothing is drawn any more once it is over', () => {
  const { frames, drawn } = framesOf(1);
  frames.soon();
  frames.next();
  frames.stop();
  vi.advanceTimersByTime(1000);
  expect(drawn()).toBe(0);
});
