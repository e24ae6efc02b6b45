import { expect, it } from 'vitest';
import type { SseItem } from '../../protocol/sse/sse-stream.ts';
import { StreamPosition } from './stream-position.ts';

function positionAfter(...items: Partial<SseItem>[]): StreamPosition {
  const position = new StreamPosition();
  for (const item of items) {
    position.note({ event: 'message', id: undefined, retryMs: undefined, data: undefined, ...item });
  }
  return position;
}

it('keeps the id of the last event that has one', () => {
  expect(positionAfter().lastEventId).toBeUndefined();
  expect(positionAfter({ id: 'a' }, { data: 'x' }).lastEventId).toBe('a');
  expect(positionAfter({ id: 'a' }, { id: 'bü' }).lastEventId).toBe('bü');
});

it.each(['', 'a\u0007', '\u007f'])('sends no last event id after an id that no header can hold (%j)', (id) => {
  expect(positionAfter({ id: 'a' }, { id }).lastEventId).toBeUndefined();
});

it('waits 1 s before a retry, and longer after every failure, up to 30 s', () => {
  const position = positionAfter();
  expect([0, 1, 2, 4, 5, 60].map((failures) => position.delayMs(failures))).toEqual([
    1000, 2000, 4000, 16_000, 30_000, 30_000,
  ]);
});

it('uses the retry delay that the server sets', () => {
  expect(positionAfter({ retryMs: 5 }, { retryMs: 20 }).delayMs(0)).toBe(20);
  expect(positionAfter({ retryMs: 20 }).delayMs(1)).toBe(40);
  expect(positionAfter({ retryMs: 60_000 }).delayMs(3)).toBe(60_000);
  expect(positionAfter({ retryMs: 999_999_999_999_999 }).delayMs(3)).toBe(2 ** 31 - 1);
});

it('waits longer after every failure even if the server sets a delay of 0', () => {
  expect([0, 1, 10, 60].map((failures) => positionAfter({ retryMs: 0 }).delayMs(failures))).toEqual([
    0, 2, 1024, 30_000,
  ]);
});

it('backs off for a stream without events, unless the server has set a delay', () => {
  expect(positionAfter().idleDelayMs(2)).toBe(4000);
  expect(positionAfter({ retryMs: 20 }).idleDelayMs(2)).toBe(20);
});
