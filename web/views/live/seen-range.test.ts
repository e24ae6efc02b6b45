import { expect, it } from 'vitest';
import { SeenRange } from './seen-range.ts';

const at = (scrollTop: number, scrollHeight = 1000, clientWidth = 300, clientHeight = 400) => ({
  scrollTop,
  clientHeight,
  clientWidth,
  scrollHeight,
});

it('counts a text that fits as seen, unless it is hidden', () => {
  expect(new SeenRange().covers(at(0, 400))).toBe(true);
  expect(new SeenRange().covers(at(0, 0, 0, 0))).toBe(false);
});

it('counts a longer text as seen once it was scrolled through, and takes back a jump to its end', () => {
  const range = new SeenRange();
  expect(range.covers(at(0))).toBe(false);
  const jumped = at(600);
  expect(range.covers(jumped)).toBe(false);
  expect(jumped.scrollTop).toBe(400);
  expect(range.covers(at(390))).toBe(false);
  expect(range.covers(at(599.5))).toBe(true);
});

it('starts again at another width', () => {
  const range = new SeenRange();
  range.covers(at(0));
  range.covers(at(400));
  expect(range.covers(at(600, 1000, 200))).toBe(false);
  expect(range.covers(at(0, 400, 200))).toBe(true);
});
