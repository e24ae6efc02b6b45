import { describe, expect, it } from 'vitest';
import { moveEnd, rangeBetween, shift, zoom } from './minimap-brush.ts';

const span = { fromMs: 1000, toMs: 2000 };

describe('the minimap brush', () => {
  it('selects the time between two positions in either order', () => {
    expect(rangeBetween(span, 0.5, 0.2)).toEqual({ fromMs: 1200, toMs: 1500 });
    expect(rangeBetween(span, -1, 0.5)).toEqual({ fromMs: 1000, toMs: 1500 });
  });

  it('selects nothing on a click', () => {
    expect(rangeBetween(span, 0.5, 0.5)).toBeUndefined();
  });

  it('swaps its ends when one is dragged past the other', () => {
    expect(moveEnd(span, { fromMs: 1200, toMs: 1500 }, 'fromMs', 0.8)).toEqual({ fromMs: 1500, toMs: 1801 });
    expect(moveEnd(span, { fromMs: 1200, toMs: 1500 }, 'toMs', 0.9)).toEqual({ fromMs: 1200, toMs: 1900 });
  });

  it('stays within the session when it is moved', () => {
    expect(shift(span, { fromMs: 1200, toMs: 1500 }, 1)).toEqual({ fromMs: 1500, toMs: 1800 });
    expect(shift(span, { fromMs: 1200, toMs: 1500 }, -1)).toEqual({ fromMs: 1000, toMs: 1300 });
  });

  it('clears the selection when it grows to the whole session, and shrinks around a given time', () => {
    expect(zoom(span, { fromMs: 1400, toMs: 1600 }, 0.5, 1500)).toEqual({ fromMs: 1450, toMs: 1550 });
    expect(zoom(span, { fromMs: 1100, toMs: 1900 }, 2, 1500)).toBeUndefined();
  });
});
