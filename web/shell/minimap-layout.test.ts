import { describe, expect, it } from 'vitest';
import type { MapKind, MapLane } from '../model/timeline/minimap.ts';
import { bandAt, layoutOf } from './minimap-layout.ts';

function lane(...kinds: MapKind[]): MapLane {
  return { rows: kinds.map((kind) => ({ kind, count: 1, counts: [1], answers: [0] })), errors: [] };
}

describe('the minimap rows', () => {
  it('lays out a row for each kind of each server, without overlap', () => {
    const { bands, heightPx } = layoutOf([lane('calls', 'notifications'), lane('calls', 'beside')]);
    expect(bands.map((band) => [band.lane, band.kinds])).toEqual([
      [0, ['calls']],
      [0, ['notifications']],
      [1, ['calls']],
      [1, ['beside']],
    ]);
    const ends = bands.map(({ topPx, heightPx: tall }) => topPx + tall);
    expect(bands.slice(1).every(({ topPx }, n) => topPx > (ends[n] ?? 0))).toBe(true);
    expect(heightPx).toBeGreaterThan(ends.at(-1) ?? 0);
  });

  it('lays out one row per server when there are many, within the available height', () => {
    const busy = lane('calls', 'notifications', 'fromServer', 'beside', 'http');
    expect(layoutOf([busy, busy, busy]).bands).toHaveLength(15);
    const six = layoutOf(Array.from({ length: 6 }, () => busy));
    expect(six.bands.map(({ kinds }) => kinds.length)).toEqual([5, 5, 5, 5, 5, 5]);
    for (const count of [0, 1, 3, 6, 7, 50]) {
      const { heightPx, bands } = layoutOf(Array.from({ length: count }, () => busy));
      expect(heightPx).toBeLessThanOrEqual(128);
      expect(bands.every((band) => band.topPx + band.heightPx <= heightPx)).toBe(true);
    }
  });

  it('finds a row by its vertical position', () => {
    const layout = layoutOf([lane('calls', 'http')]);
    const [calls, http] = layout.bands;
    expect(bandAt(layout, (calls?.topPx ?? 0) + 1)).toBe(calls);
    expect(bandAt(layout, (http?.topPx ?? 0) + 1)).toBe(http);
    expect(bandAt(layout, 0)).toBeUndefined();
  });
});
