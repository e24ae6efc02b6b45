import { describe, expect, it } from 'vitest';
import { CALL_COLUMNS, readCallOrder, sortedBy, withCallOrder } from './call-columns.ts';

describe('the call order in a link', () => {
  it.each([
    {},
    { sort: '-duration' },
    { sort: 'name', group: 'tool' },
    { group: 'server', tab: 'raw' },
    { sort: '-start' },
  ])('keeps the call order in a round trip: %j', (more) => {
    expect(withCallOrder(more, readCallOrder(more))).toEqual(more);
  });

  it('falls back to the order of the recording for unknown values', () => {
    expect(readCallOrder({ sort: '-beauty', group: 'mood' })).toMatchObject({ sort: 'start', group: 'none' });
  });

  it('reverses the order on the second click on a column header', () => {
    const duration = CALL_COLUMNS.find(({ sort }) => sort === 'duration');
    if (duration === undefined) throw new Error('no such column');
    const once = sortedBy(readCallOrder({}), duration);
    expect(once).toMatchObject({ sort: 'duration', descending: true });
    expect(sortedBy(once, duration)).toMatchObject({ sort: 'duration', descending: false });
  });
});
