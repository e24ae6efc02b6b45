import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LiveEvent } from './control-protocol.ts';
import { type EventOutlet, FollowedLines } from './followed-lines.ts';

const LITTLE = '{"little":1}';
const MUCH = `{"pad":"${'x'.repeat(70_000)}"}`;
const WINDOW_MS = 100;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Collects all events about lines that one screen receives. */
class Reported implements EventOutlet {
  readonly events: LiveEvent[] = [];
  hasRoom = true;
  #next = 0;
  readonly #followed = new FollowedLines(0, 0, this);

  send(event: LiveEvent): void {
    this.events.push(event);
  }

  write(line: string): void {
    this.#followed.take(this.#next++, [line]);
  }
}

it('reports a flood of lines as missed ranges, and the lines after it individually', () => {
  const reported = new Reported();
  for (let window = 0; window < 5; window++) {
    for (let n = 0; n < 100; n++) reported.write(MUCH);
    vi.advanceTimersByTime(WINDOW_MS);
  }
  expect(reported.events).toEqual([0, 100, 200, 300, 400].map((from) => ({ type: 'missed', from, to: from + 100 })));
  reported.write(LITTLE);
  vi.advanceTimersByTime(WINDOW_MS);
  expect(reported.events.at(-1)).toEqual({ type: 'missed', from: 500, to: 501 });
  reported.write(LITTLE);
  expect(reported.events.at(-1)).toEqual({ type: 'lines', firstSeq: 501, lines: [LITTLE] });
});

it('reports a line long after a flood immediately', () => {
  const reported = new Reported();
  reported.write(MUCH);
  vi.advanceTimersByTime(2 * WINDOW_MS);
  reported.write(LITTLE);
  expect(reported.events).toEqual([
    { type: 'missed', from: 0, to: 1 },
    { type: 'lines', firstSeq: 1, lines: [LITTLE] },
  ]);
  expect(vi.getTimerCount()).toBe(1);
});
