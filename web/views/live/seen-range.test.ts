import { expect, it } from 'vitest';
import { SeenRange } from './seen-range.ts';

const at = (scrollTop: number, scrollHeight = 1000, clientWidth = 300, clientHeight = 400) => ({
  scrollTop,
  clientHeight,
  clientWidth,
  scrollHeight,
  scrollWidth: clientWidth,
});

it('counts a text that fits as seen, unless it is hidden', () => {
  expect(new SeenRange().covers(at(0, 400), 0, Infinity)).toBe(true);
  expect(new SeenRange().covers(at(0, 0, 0, 0), 0, Infinity)).toBe(false);
});

it('counts a longer text as seen once it was scrolled through, and takes back a jump to its end', () => {
  const range = new SeenRange();
  expect(range.covers(at(0), 0, Infinity)).toBe(false);
  const jumped = at(600);
  expect(range.covers(jumped, 0, Infinity)).toBe(false);
  expect(jumped.scrollTop).toBe(400);
  expect(range.covers(at(390), 0, Infinity)).toBe(false);
  expect(range.covers(at(599.5), 0, Infinity)).toBe(true);
});

it('counts no text as seen that goes beyond the right edge', () => {
  expect(new SeenRange().covers({ ...at(0, 400), scrollWidth: 500 }, 0, Infinity)).toBe(false);
});

it('counts a text as unseen again at another width', () => {
  const range = new SeenRange();
  range.covers(at(0), 0, Infinity);
  range.covers(at(400), 0, Infinity);
  expect(range.covers(at(600, 1000, 200), 0, Infinity)).toBe(false);
  expect(range.covers(at(0, 400, 200), 0, Infinity)).toBe(true);
});

it('counts only what neither the dialog nor the window cuts off', () => {
  const range = new SeenRange();
  expect(range.covers(at(0, 400), 0, -500)).toBe(false);
  expect(range.covers(at(0, 400), 0, 50)).toBe(false);
  expect(range.covers(at(0, 400), 60, 400)).toBe(false);
  expect(range.covers(at(0, 400), 40, 400)).toBe(true);
});
